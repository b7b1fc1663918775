"""A headless Chromium that is told what to do by its developer protocol, over a pipe."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    """One page at a time. Whatever it and its frames write to the console is in `console`, and the
    addresses that they ask for, or would like to, are in `requests`. The kinds of its questions are
    in `questions`; they are answered with yes as long as `leaves` says so."""

    def __init__(self, width=1280, height=800, scale=1):
        self.profile = tempfile.mkdtemp(prefix="headlight-browser-")
        self.downloads = os.path.join(self.profile, "downloads")
        os.mkdir(self.downloads)
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        program = os.environ.get("HEADLIGHT_BROWSER") or shutil.which("chromium")
        command = [
            program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe",
            "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
            "--disable-background-networking", "--no-first-run", "--disable-extensions",
            # There is a mouse, whatever this computer has.
            "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,"
            "availablePointerTypes=4",
            f"--user-data-dir={self.profile}", "--allow-file-access-from-files",
            f"--window-size={width},{height}", "about:blank",
        ]

        def place_pipes():
            # The browser reads from 3 and writes to 4.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(command, preexec_fn=place_pipes, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._rest = b""
        self._number = 0
        self._session = None
        self.console = []
        self.requests = []
        self.frames = []  # the sessions of frames that have a process of their own
        self.questions, self.leaves = [], True
        self.loader = None  # of the page
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target,
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self.resize(width, height, scale)
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def resize(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=False)

    def call(self, method, frame=None, **parameters):
        """Returns the result of a command of the protocol; `frame` is one of `frames`."""
        is_of_page = method == "Target.setAutoAttach" or \
            not method.startswith(("Target.", "Browser."))
        number = self._send(method, parameters, (frame or self._session) if is_of_page else None)
        while True:
            answer = self._read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _send(self, method, parameters, session):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data):]
        return self._number

    def _read(self):
        while b"\0" not in self._rest:
            part = os.read(self._from, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._rest += part
        text, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(text)
        if message.get("method") == "Runtime.consoleAPICalled":
            values = message["params"]["args"]
            self.console.append(" ".join(str(v.get("value", v.get("description"))) for v in values))
        if message.get("method") == "Log.entryAdded":
            self.console.append(message["params"]["entry"]["text"])
        if message.get("method") == "Page.frameNavigated" and \
                "parentId" not in message["params"]["frame"]:
            self.loader = message["params"]["frame"]["loaderId"]
        if message.get("method") == "Page.javascriptDialogOpening":
            self.questions.append(message["params"]["type"])
            self._send("Page.handleJavaScriptDialog", {"accept": self.leaves}, self._session)
        if message.get("method") == "Runtime.exceptionThrown":
            self.console.append(str(message["params"]["exceptionDetails"]))
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        if message.get("method") == "Target.attachedToTarget":
            frame = message["params"]["sessionId"]
            for method in ("Runtime.enable", "Log.enable", "Network.enable",
                           "Runtime.runIfWaitingForDebugger"):
                self._send(method, {}, frame)
            if message["params"]["targetInfo"]["type"] == "iframe":
                self.frames.append(frame)
        if message.get("method") == "Target.detachedFromTarget":
            frame = message["params"]["sessionId"]
            self.frames = [known for known in self.frames if known != frame]
        return message

    def open(self, url):
        """Returns when the page before is gone, which may be asked whether it can be left."""
        loader = self.call("Page.navigate", url=url).get("loaderId")
        while loader and loader != self.loader:
            self._read()

    def run(self, script, frame=None):
        """Returns the value of an expression of JavaScript, of a promise what it becomes."""
        result = self.call("Runtime.evaluate", frame, expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", str(details)))
        return result["result"].get("value")

    def wait_for(self, script, secs=180, frame=None):
        """Waits until the expression is true; returns after how many seconds."""
        start = time.monotonic()
        while not self._is_true(script, frame):
            if time.monotonic() - start > secs:
                raise RuntimeError(f"not within {secs} s: {script}")
            time.sleep(0.02)
        return time.monotonic() - start

    def _is_true(self, script, frame):
        try:
            return self.run(script, frame)
        except RuntimeError as error:
            if "navigated" in str(error):
                return False  # the page before went while it was asked
            raise

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    # ---- a hand ----

    def move(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y, count=1):
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      clickCount=count)

    def type(self, text):
        for letter in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter,
                      code=f"Key{letter.upper()}" if letter.isalpha() else "")
            self.call("Input.dispatchKeyEvent", type="keyUp", key=letter,
                      code=f"Key{letter.upper()}" if letter.isalpha() else "")

    def press(self, key, code=None, ctrl=False, shift=False, alt=False):
        modifiers = alt * 1 + ctrl * 2 + shift * 8
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      modifiers=modifiers, windowsVirtualKeyCode=_virtual_key(key))

    def command(self, name):
        """Presses Ctrl with the key of "copy" or "paste", and the browser does it."""
        letter = {"copy": "c", "paste": "v"}[name]
        for kind, commands in (("rawKeyDown", [name]), ("keyUp", [])):
            self.call("Input.dispatchKeyEvent", type=kind, key=letter, modifiers=2,
                      code=f"Key{letter.upper()}", windowsVirtualKeyCode=ord(letter.upper()),
                      commands=commands)


def _virtual_key(key):
    named = {"Enter": 13, "Escape": 27, "Tab": 9, "Backspace": 8, "ArrowLeft": 37, "ArrowUp": 38,
             "ArrowRight": 39, "ArrowDown": 40, "F1": 112, "F5": 116, "F6": 117, "End": 35, "Home": 36}
    return named.get(key, ord(key.upper()) if len(key) == 1 else 0)
