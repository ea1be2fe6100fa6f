// SPDX-License-Identifier: Apache-2.0
// The theme searches in a worker, and a browser starts none for a page from a file. There a hidden
// frame runs the worker's script: it is of the page's origin, so the two can call each other.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #started;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      this.#started = new Promise((resolve) => {
        this.#frame.onload = () => {
          const inside = this.#frame.contentWindow;
          inside.postMessage = (data) => this.#say(this, data);
          const script = inside.document.createElement("script");
          script.onload = resolve;
          script.src = url;
          inside.document.head.append(script);
        };
      });
      document.body.append(this.#frame);
    }

    #say(target, data) {
      target.dispatchEvent(new MessageEvent("message", { data }));
    }

    async postMessage(data) {
      await this.#started;
      this.#say(this.#frame.contentWindow, data);
    }
  };
}
