"""Firefox, and WebKit, the engine of Safari, which are told what to do by the W3C's WebDriver. They need
a display for WebGL; xvfb-run makes one."""
import base64
import itertools
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

MINI_BROWSERS = sorted(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def repeat(action, secs=30):
    """Returns what the action does as soon as there is somebody to connect with."""
    end = time.monotonic() + secs
    while True:
        try:
            return action()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


class WebDriver:
    """One page. A browser says how a command reaches it: `call`."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, command):
        # WebKit's sandbox needs namespaces, which a container may not give.
        environment = dict(os.environ, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1")
        self.folder = tempfile.mkdtemp(prefix="headlight-browser-")
        self.process = subprocess.Popen([part.replace("FOLDER", self.folder) for part in command],
                                        env=environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def open(self, url):
        self.call("url", "Navigate", url=url)

    def run(self, script, _frame=None):
        return self.call("execute/sync", "ExecuteScript", script=f"return {script};", args=[])

    def wait_for(self, script, secs=60):
        end = time.monotonic() + secs
        while not self.run(script):
            if time.monotonic() > end:
                raise RuntimeError(f"not within {secs} s: {script}")
            time.sleep(0.05)

    def screenshot(self):
        return base64.b64decode(self.call("screenshot", "TakeScreenshot"))

    def click(self, x, y):
        self._act({"type": "pointer", "id": "mouse"}, [
            {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": 50}, {"type": "pointerUp", "button": 0}])

    def type(self, text):
        self._act({"type": "key", "id": "keys"}, [
            {"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")])

    def press_ctrl(self, letter):
        ctrl = "\ue009"
        self._act({"type": "key", "id": "keys"}, [
            {"type": "keyDown", "value": ctrl}, {"type": "keyDown", "value": letter},
            {"type": "keyUp", "value": letter}, {"type": "keyUp", "value": ctrl}])

    def _act(self, source, actions):
        self.call("actions", "PerformActions", actions=[{**source, "actions": actions}])


class Firefox(WebDriver):
    """By its Marionette, which has the commands of WebDriver under names of its own."""

    is_here = bool(shutil.which("firefox") or shutil.which("firefox-esr"))

    def __init__(self, width=1280, height=900):
        port = free_port()
        self.start([shutil.which("firefox") or shutil.which("firefox-esr"), "--marionette",
                    "--no-remote", "--profile", "FOLDER"])
        settings = {"marionette.port": port, "webgl.force-enabled": True,
                    "browser.aboutwelcome.enabled": False, "browser.shell.checkDefaultBrowser": False,
                    "datareporting.policy.dataSubmissionEnabled": False}
        pathlib.Path(self.folder, "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in settings.items()))
        self._numbers = itertools.count(1)
        self._rest = b""
        self._socket = repeat(lambda: socket.create_connection(("127.0.0.1", port)))
        self._read()  # which says who it is
        self.call("", "NewSession")
        self.call("window/rect", "SetWindowRect", width=width, height=height)

    def __exit__(self, *_):
        self._socket.close()
        super().__exit__()

    def call(self, _path, name, **parameters):
        message = json.dumps([0, next(self._numbers), f"WebDriver:{name}", parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _kind, _number, error, result = self._read()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result.get("value", result)

    def _read(self):
        while b":" not in self._rest:
            self._rest += self._received()
        size, self._rest = self._rest.split(b":", 1)
        while len(self._rest) < int(size):
            self._rest += self._received()
        message, self._rest = self._rest[:int(size)], self._rest[int(size):]
        return json.loads(message)

    def _received(self):
        part = self._socket.recv(1 << 20)
        if not part:
            raise RuntimeError("Firefox has ended")
        return part


class WebKit(WebDriver):
    is_here = bool(MINI_BROWSERS and shutil.which("WebKitWebDriver"))

    def __init__(self, width=1280, height=900):
        port = free_port()
        self.start(["WebKitWebDriver", f"--port={port}"])
        self._address = f"http://127.0.0.1:{port}/session"
        options = {"binary": str(MINI_BROWSERS[-1]), "args": ["--automation"]}
        session = repeat(lambda: self._post("", {"capabilities": {"alwaysMatch": {
            "webkitgtk:browserOptions": options}}}))
        self._address += "/" + session["sessionId"]
        self.call("window/rect", "SetWindowRect", width=width, height=height)

    def __exit__(self, *_):
        self._request("DELETE", "")
        super().__exit__()

    def call(self, path, _name, **parameters):
        if path == "screenshot":
            return self._request("GET", "/" + path)
        return self._post("/" + path, parameters)

    def _post(self, path, body):
        return self._request("POST", path, json.dumps(body).encode())

    def _request(self, method, path, body=None):
        request = urllib.request.Request(self._address + path, body,
                                         {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {json.load(error)['value']['message']}") from None
