# SPDX-License-Identifier: Apache-2.0
"""A small chart writer: panels with logarithmic axes, lines with bands and marks, names at the
lines' ends; tables as heat maps. No library."""
import math
from html import escape

FONT = "font-family='Helvetica,Arial,sans-serif'"
INK, SOFT, GRID = "#1c2430", "#5b6675", "#e4e8ee"


def ticks(low, high):
    """Round numbers between low and high, at least four of them if there are as many."""
    for steps in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7), [1 + i / 2 for i in range(18)],
                  [1 + i / 10 for i in range(90)]):
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        found = [m * 10.0 ** e for e in powers for m in steps
                 if low * 0.999 <= m * 10.0 ** e <= high * 1.001]
        if len(found) >= 4:
            break
    return found[::-(-len(found) // 9)]


def number(v):
    if v == 0 or 0.001 <= v < 10000:
        return format(v, ".4g")
    e = math.floor(math.log10(v) + 1e-9)
    m = v / 10.0 ** e
    lead = "" if abs(m - 1) < 1e-9 else f"{m:g}·"
    return f"{lead}10<tspan dy='-4' font-size='8'>{e}</tspan>"


def mark(shape, x, y, r, color):
    """A circle, or a square, diamond or triangle that looks as large."""
    if shape == "circle":
        return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{r:.1f}' fill='{color}'/>"
    corners = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
               "diamond": [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)],
               "up": [(0, -1.4), (1.3, 1), (-1.3, 1)],
               "down": [(0, 1.4), (1.3, -1), (-1.3, -1)]}[shape]
    return (f"<polygon points='{' '.join(f'{x + r * a:.1f},{y + r * b:.1f}' for a, b in corners)}' "
            f"fill='{color}'/>")


class Panel:
    """lines: list of dicts name, color, dash, width, mark, points [(x, middle, low, high)]. Both
    axes are logarithmic; linear: y from 0; span: y from and to, for panels that share an axis."""

    def __init__(self, title, x_name, y_name, lines, x_ticks, remark="", linear=False):
        self.title, self.x_name, self.y_name, self.lines, self.x_ticks, self.remark = (
            title, x_name, y_name, lines, x_ticks, remark)
        self.linear = linear
        self.span = None

    def draw(self, left, top, width, height):
        names = 112  # room at the right for the lines' names
        x0, y0, w, h = left + 54, top + 34, width - 54 - names, height - 34 - 44
        every = [p for line in self.lines for p in line["points"]]
        if not every:
            return f"<text x='{x0}' y='{y0}'>{escape(self.title)}: nothing measured</text>"
        low, high = ((0, 1.05 * max(p[3] for p in every)) if self.linear
                     else (min(p[2] for p in every) / 1.12, max(p[3] for p in every) * 1.12))
        low, high = self.span or (low, high)
        x_low, x_high = min(self.x_ticks), max(self.x_ticks)
        px = lambda x: x0 + w * (math.log(x / x_low) / math.log(x_high / x_low) if x_high > x_low
                                 else 0.5)
        py = lambda y: y0 + h * (1 - (max(y, 0) / high if self.linear
                                      else math.log(max(y, low) / low) / math.log(high / low)))
        out = [f"<text x='{left + 8}' y='{top + 18}' font-size='14' font-weight='600' "
               f"fill='{INK}'>{escape(self.title)}</text>",
               f"<text x='{x0 + w}' y='{y0 - 4}' text-anchor='end' font-size='10' "
               f"fill='{SOFT}'>{escape(self.remark)}</text>"]
        step = next(s for s in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, 1e9)
                    if high / s < 9) if self.linear else 0
        for t in ([step * i for i in range(int(high / step) + 1)] if self.linear
                  else ticks(low, high)):
            out.append(f"<line x1='{x0}' x2='{x0 + w}' y1='{py(t):.1f}' y2='{py(t):.1f}' "
                       f"stroke='{GRID}'/>"
                       f"<text x='{x0 - 7}' y='{py(t) + 4:.1f}' text-anchor='end' "
                       f"font-size='11' fill='{SOFT}'>{number(t)}</text>")
        for t in self.x_ticks:
            out.append(f"<line x1='{px(t):.1f}' x2='{px(t):.1f}' y1='{y0 + h}' y2='{y0 + h + 4}' "
                       f"stroke='{SOFT}'/>"
                       f"<text x='{px(t):.1f}' y='{y0 + h + 17}' text-anchor='middle' "
                       f"font-size='11' fill='{SOFT}'>{number(t)}</text>")
        out.append(f"<line x1='{x0}' x2='{x0 + w}' y1='{y0 + h}' y2='{y0 + h}' stroke='{SOFT}'/>")
        out.append(f"<text x='{x0 + w / 2}' y='{y0 + h + 36}' text-anchor='middle' "
                   f"font-size='12' fill='{INK}'>{escape(self.x_name)}</text>")
        out.append(f"<text transform='translate({left + 12},{y0 + h / 2}) rotate(-90)' "
                   f"text-anchor='middle' font-size='12' "
                   f"fill='{INK}'>{escape(self.y_name)}</text>")
        for line in self.lines:  # bands below all lines
            p = line["points"]
            if len(p) > 1:
                edge = ([f"{px(x):.1f},{py(hi):.1f}" for x, _, _, hi in p] +
                        [f"{px(x):.1f},{py(lo):.1f}" for x, _, lo, _ in p[::-1]])
                out.append(f"<polygon points='{' '.join(edge)}' fill='{line['color']}' "
                           "opacity='0.13'/>")
        for line in self.lines:
            p = line["points"]
            dash = f" stroke-dasharray='{line['dash']}'" if line.get("dash") else ""
            out.append("<polyline "
                       f"points='{' '.join(f'{px(x):.1f},{py(y):.1f}' for x, y, _, _ in p)}' "
                       f"fill='none' stroke='{line['color']}' "
                       f"stroke-width='{line.get('width', 1.6)}' stroke-linejoin='round'{dash}/>")
            if not dash:
                out += [mark(line.get("mark") or "circle", px(x), py(y),
                             1.2 + line.get("width", 1.6) * 0.7, line["color"])
                        for x, y, _, _ in p]
        out += self.names(px, py, x0 + w, y0, y0 + h)
        return "\n".join(out)

    def names(self, px, py, right, top, bottom):
        """Each line's name beside its end, pushed apart where they would meet."""
        ends = sorted((py(line["points"][-1][1]), i) for i, line in enumerate(self.lines)
                      if line["points"])
        gap, places = 13.0, []
        for want, i in ends:
            places.append([max(want, places[-1][0] + gap) if places else want, want, i])
        spill = places[-1][0] - bottom if places else 0
        for j in range(len(places) - 1, -1, -1):  # too low: push back up
            limit = bottom if j == len(places) - 1 else places[j + 1][0] - gap
            places[j][0] = min(places[j][0], limit) if spill > 0 else places[j][0]
        out = []
        for at, want, i in places:
            line = self.lines[i]
            x_end = px(line["points"][-1][0])
            weight = "700" if line.get("width", 1.6) > 2 else "400"
            out.append(f"<path d='M{x_end + 4:.1f},{want:.1f} L{right + 8},{at:.1f}' "
                       f"stroke='{line['color']}' stroke-width='0.7' opacity='0.6' fill='none'/>"
                       f"<text x='{right + (21 if line.get('mark') else 11)}' "
                       f"y='{at + 4:.1f}' font-size='11' "
                       f"font-weight='{weight}' "
                       f"fill='{line['color']}'>{escape(line['name'])}</text>")
            if line.get("mark"):
                out.append(mark(line["mark"], right + 14, at, 3, line["color"]))
        return out


class Heat:
    """values[i][j]: a number between low and high, or None, at x j and y i, drawn from the bottom
    up."""

    def __init__(self, title, x_name, y_name, xs, ys, values, low, high):
        self.title, self.x_name, self.y_name, self.xs, self.ys, self.values, self.low, self.high = (
            title, x_name, y_name, xs, ys, values, low, high)

    def draw(self, left, top, width, height):
        x0, y0, w, h = left + 54, top + 34, width - 54 - 30, height - 34 - 44
        cw, ch = w / len(self.xs), h / len(self.ys)
        out = [f"<text x='{left + 8}' y='{top + 18}' font-size='14' font-weight='600' "
               f"fill='{INK}'>{escape(self.title)}</text>"]
        for i, row in enumerate(self.values):
            for j, v in enumerate(row):
                share = 0 if v is None else min(1, max(0, (v - self.low) / (self.high - self.low)))
                color = "#ffffff" if v is None else "#%02x%02x%02x" % tuple(
                    round(a + share * (b - a)) for a, b in ((244, 20), (247, 70), (251, 120)))
                x, y = x0 + j * cw, y0 + h - (i + 1) * ch
                out.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='{cw:.1f}' height='{ch:.1f}' "
                           f"fill='{color}' stroke='white'/>")
                if v is not None:
                    out.append(f"<text x='{x + cw / 2:.1f}' y='{y + ch / 2 + 4:.1f}' "
                               f"text-anchor='middle' font-size='10' "
                               f"fill='{'white' if share > 0.55 else INK}'>{v:.2f}</text>")
        for j, t in enumerate(self.xs):
            out.append(f"<text x='{x0 + (j + 0.5) * cw:.1f}' y='{y0 + h + 16}' "
                       f"text-anchor='middle' font-size='11' fill='{SOFT}'>{t:g}</text>")
        for i, t in enumerate(self.ys):
            out.append(f"<text x='{x0 - 7}' y='{y0 + h - (i + 0.5) * ch + 4:.1f}' "
                       f"text-anchor='end' font-size='11' fill='{SOFT}'>{t:g}</text>")
        out.append(f"<text x='{x0 + w / 2}' y='{y0 + h + 36}' text-anchor='middle' "
                   f"font-size='12' fill='{INK}'>{escape(self.x_name)}</text>")
        out.append(f"<text transform='translate({left + 12},{y0 + h / 2}) rotate(-90)' "
                   f"text-anchor='middle' font-size='12' "
                   f"fill='{INK}'>{escape(self.y_name)}</text>")
        return "\n".join(out)


def write(path, panels, title, remark, columns=2, width=560, height=370):
    rows = -(-len(panels) // columns)
    remarks = remark.split("\n")
    total_w, total_h = columns * width + 20, rows * height + 68 + 16 * len(remarks)
    body = [p.draw(10 + width * (i % columns), 50 + height * (i // columns), width, height)
            for i, p in enumerate(panels)]
    text = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {total_w} {total_h}' "
            f"width='{total_w}' height='{total_h}' {FONT}>",
            f"<rect width='{total_w}' height='{total_h}' fill='white'/>",
            f"<text x='18' y='31' font-size='19' font-weight='700' "
            f"fill='{INK}'>{escape(title)}</text>", *body,
            *(f"<text x='18' y='{total_h - 14 - 16 * i}' font-size='11' "
              f"fill='{SOFT}'>{escape(one)}</text>" for i, one in enumerate(remarks[::-1])),
            "</svg>\n"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(text))
