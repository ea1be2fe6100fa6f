"use strict";
// Two things need a script: moving the slider, which shows another cut that the page already holds,
// and the picture of two columns. Everything else stands in the page without one.
(function () {
  const SVG = "http://www.w3.org/2000/svg", WIDE = 560, HIGH = 420, LEFT = 70, TOP = 16, LOW = 50;
  const cuts = [...document.querySelectorAll(".cut")];
  const slider = document.getElementById("k"), shown = document.getElementById("k-shown");
  const across = document.getElementById("across"), up = document.getElementById("up");
  const picture = document.getElementById("pair-picture");
  let current = cuts.findIndex((cut) => !cut.hidden);

  function add(parent, name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.appendChild(made);
    return made;
  }

  function axisOf(select) {
    const option = select.selectedOptions[0];
    return { column: +option.value, low: +option.dataset.low, high: +option.dataset.high,
             lowText: option.dataset.lowText, highText: option.dataset.highText,
             name: option.textContent };
  }

  function drawPair() {
    const block = cuts[current] && cuts[current].querySelector("script.numbers");
    if (!picture || !block) return;
    const n = JSON.parse(block.textContent), x = axisOf(across), y = axisOf(up);
    const w = WIDE - LEFT - 20, h = HIGH - TOP - LOW, most = Math.max(1, ...n.size.map((s) => s || 0));
    const px = (v) => LEFT + w * (v - x.low) / (x.high - x.low);
    const py = (v) => TOP + h * (1 - (v - y.low) / (y.high - y.low));
    const rx = (v) => Math.min(w, w * v / (x.high - x.low)), ry = (v) => Math.min(h, h * v / (y.high - y.low));
    picture.replaceChildren();
    add(picture, "path", { class: "axis", d: `M${LEFT} ${TOP}v${h}h${w}` });
    add(picture, "text", { x: LEFT, y: HIGH - 30 }, x.lowText);
    add(picture, "text", { x: WIDE - 20, y: HIGH - 30, "text-anchor": "end" }, x.highText);
    add(picture, "text", { x: LEFT + w / 2, y: HIGH - 10, "text-anchor": "middle" }, x.name);
    add(picture, "text", { x: LEFT - 6, y: TOP + h, "text-anchor": "end" }, y.lowText);
    add(picture, "text", { x: LEFT - 6, y: TOP + 10, "text-anchor": "end" }, y.highText);
    add(picture, "text", { x: 14, y: TOP + h / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${TOP + h / 2})` }, y.name);
    n.center.forEach((center, i) => {
      const cx = px(center[x.column]), cy = py(center[y.column]), group = add(picture, "g", {});
      if (!Number.isFinite(cx) || !Number.isFinite(cy)) return;
      const spread = n.spread && [n.spread[i][x.column], n.spread[i][y.column]];
      const error = n.error && [n.error[i][x.column], n.error[i][y.column]];
      add(group, "title", {}, `Group ${i}`);
      if (spread && spread[0] && spread[1])
        add(group, "ellipse", { class: "spread", cx, cy, rx: rx(spread[0]), ry: ry(spread[1]) });
      add(group, "circle", { class: "dot", cx, cy, r: 3 + 7 * Math.sqrt(Math.max(0, n.size[i] || 0) / most) });
      if (error && error[0] && error[1])
        add(group, "ellipse", { class: "error", cx, cy, rx: rx(2 * error[0]), ry: ry(2 * error[1]) });
      add(group, "text", { x: cx + 13, y: cy - 8 }, String(i));
    });
  }

  function moveTo(place) {
    current = place;
    cuts.forEach((cut, i) => { cut.hidden = i !== place; });
    const words = cuts[place].dataset.words;
    shown.textContent = words;
    slider.setAttribute("aria-valuetext", words);
    drawPair();
  }

  if (slider) {
    slider.closest(".slider").hidden = false;
    slider.addEventListener("input", () => moveTo(+slider.value));
    moveTo(+slider.value);
  }
  if (picture) {
    document.getElementById("pair").hidden = false;
    if (up.options.length > 1 && up.selectedIndex === across.selectedIndex) up.selectedIndex = 1;
    across.addEventListener("change", drawPair);
    up.addEventListener("change", drawPair);
    drawPair();
  }
})();
