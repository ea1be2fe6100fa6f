# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, spoken to by the DevTools protocol over two pipes: JSON, each message
ended by a zero byte. Only what the tests of pages need."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
LONGEST = 60  # seconds to wait for an answer
# Chromium as root, as in a container, has no sandbox; the pages are our own.
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"]


class Browser:
    """One tab. `events` has everything that it said since the last open."""

    def __init__(self, folder):
        read, self._write = os.pipe()
        self._read, write = os.pipe()
        # The protocol wants its pipes at 3 and 4.
        start = f'exec "$0" "$@" 3</dev/fd/{read} 4>/dev/fd/{write}'
        self._process = subprocess.Popen(
            ["sh", "-c", start, PROGRAM, *OPTIONS, f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(read, write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self._rest, self._number, self._session, self.events = b"", 0, None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def close(self):
        os.close(self._write)
        os.close(self._read)
        self._process.terminate()
        self._process.wait(LONGEST)

    def _message(self, until):
        while b"\0" not in self._rest:
            if not select.select([self._read], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self._read, 1 << 16)
            if not got:
                raise EOFError("the browser has ended")
            self._rest += got
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + LONGEST
        while True:
            answer = self._message(until)
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width, height=1200, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        self.ask("Page.navigate", url=path.as_uri())
        until = time.monotonic() + LONGEST
        while not self.said("Page.loadEventFired"):
            self.events.append(self._message(until))

    def said(self, *methods):
        return [event["params"] for event in self.events if event.get("method") in methods]

    def run(self, script):
        """The value of an expression."""
        got = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in got, got["exceptionDetails"]
        return got["result"].get("value")

    def press(self, key):
        code = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36}[key]
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode=code)

    def picture(self, height=None):
        """The page, or its beginning, as PNG."""
        height = height or self.run("document.documentElement.scrollHeight")
        width = self.run("window.innerWidth")
        got = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                       clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        return base64.b64decode(got["data"])

    def paper(self):
        """Printed on A4, as PDF."""
        got = self.ask("Page.printToPDF", paperWidth=8.27, paperHeight=11.69,
                       preferCSSPageSize=True)
        return base64.b64decode(got["data"])
