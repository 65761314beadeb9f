"""Drives Chromium by chromedriver, and Firefox and Thunderbird by Marionette, with the standard library alone.

A Browser has go, script, wait, click, keys, screenshot and size; those of Marionette also `chrome`, which runs scripts
with the rights of the program.  Each runs headless, with a profile of its own in a folder that the caller gives.
"""
import base64
import contextlib
import http.server
import json
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Failed(Exception):
    """A command of the protocol that failed."""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    """What both protocols have in common."""

    def wait(self, script, *args, seconds=300):
        """Waits until the script returns what is true, and returns that."""
        end = time.monotonic() + seconds
        while True:
            found = self.script(script, *args)
            if found or time.monotonic() > end:
                return found
            time.sleep(0.05)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError, Failed, ValueError):
            self.quit()
        self.close()


class Chrome(Browser):
    """Chromium, by chromedriver."""

    def __init__(self, folder, dark=False):
        port = free_port()
        self.process = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1280,1000",
                f"--user-data-dir={os.path.join(folder, 'chrome')}"] + (["--force-dark-mode"] if dark else [])
        binary = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": args, "binary": binary}}}}
        end = time.monotonic() + 300
        while True:
            try:
                self.base += f"/session/{self.call('POST', '/session', wanted)['sessionId']}"
                break
            except (urllib.error.URLError, ConnectionError):
                if time.monotonic() > end:
                    self.close()
                    raise
                time.sleep(0.1)

    def call(self, method, path, body=None):
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=900) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failed(json.load(error)["value"].get("message", "")[:2000]) from None

    def go(self, url):
        self.call("POST", "/url", {"url": url})

    def script(self, text, *args):
        return self.call("POST", "/execute/sync", {"script": text, "args": list(args)})

    def async_script(self, text, *args):
        return self.call("POST", "/execute/async", {"script": text, "args": list(args)})

    def find(self, css):
        return self.call("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.call("POST", f"/element/{self.find(css)}/click")

    def keys(self, css, text):
        self.call("POST", f"/element/{self.find(css)}/value", {"text": text})

    def active_keys(self, text):
        self.call("POST", f"/element/{self.call('GET', '/element/active')[ELEMENT]}/value", {"text": text})

    def size(self, width, height):
        # a window is at least 500 wide, a device is not
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                                                "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def dark(self, on):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]}})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def quit(self):
        self.call("DELETE", "")


class Marionette(Browser):
    """Firefox or Thunderbird.  `prefs` are added to those of the profile, which is made in `folder`."""

    def __init__(self, program, folder, prefs=None, dark=False, args=()):
        port = free_port()
        profile = os.path.join(folder, "profile")
        os.makedirs(profile, exist_ok=True)
        settings = {
            "marionette.port": port, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.reportingpolicy.firstRun": False,
            "browser.aboutwelcome.enabled": False, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
            "ui.systemUsesDarkTheme": 1 if dark else 0, "layout.css.prefers-color-scheme.content-override": 0 if dark else 1, **(prefs or {})
        }
        with open(os.path.join(profile, "user.js"), "w", encoding="utf-8") as file:
            for name, value in settings.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        env = {**os.environ, "HOME": folder, "MOZ_HEADLESS": "1", "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "1000"}
        self.log = open(os.path.join(folder, "log"), "wb")
        self.process = subprocess.Popen([program, "--marionette", "--remote-allow-system-access", "--headless", "--no-remote", "--profile", profile, *args],
                                        env=env, stdout=self.log, stderr=subprocess.STDOUT)
        self.count = 0
        self.socket = self.connect(port)
        self.read()  # the greeting
        self.send("WebDriver:NewSession", {"strictFileInteractability": False})

    def connect(self, port):
        end = time.monotonic() + 300
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), 120)
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    self.close()
                    raise
                time.sleep(0.1)

    def read(self):
        data = b""
        while not data.endswith(b":"):
            byte = self.socket.recv(1)
            if not byte:
                raise Failed("the connection has ended")
            data += byte
        length, data = int(data[:-1]), b""
        while len(data) < length:
            data += self.socket.recv(length - len(data))
        return json.loads(data)

    def send(self, command, params=None):
        self.count += 1
        message = json.dumps([0, self.count, command, params or {}]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self.read()
        if error:
            raise Failed(f"{command}: {error.get('error')}: {error.get('message', '')[:2000]}")
        return result

    @contextlib.contextmanager
    def chrome(self):
        """Scripts run with the rights of the program."""
        self.send("Marionette:SetContext", {"value": "chrome"})
        try:
            yield self
        finally:
            self.send("Marionette:SetContext", {"value": "content"})

    def go(self, url):
        self.send("WebDriver:Navigate", {"url": url})

    def script(self, text, *args):
        return self.send("WebDriver:ExecuteScript", {"script": text, "args": list(args), "newSandbox": True})["value"]

    def async_script(self, text, *args):
        return self.send("WebDriver:ExecuteAsyncScript", {"script": text, "args": list(args), "newSandbox": True})["value"]

    def find(self, css):
        return self.send("WebDriver:FindElement", {"using": "css selector", "value": css})["value"][ELEMENT]

    def click(self, css):
        self.send("WebDriver:ElementClick", {"id": self.find(css)})

    def keys(self, css, text):
        self.send("WebDriver:ElementSendKeys", {"id": self.find(css), "text": text})

    def active_keys(self, text):
        element = self.send("WebDriver:GetActiveElement")["value"][ELEMENT]
        self.send("WebDriver:ElementSendKeys", {"id": element, "text": text})

    def size(self, width, height):
        self.send("WebDriver:SetWindowRect", {"width": width, "height": height})

    def dark(self, on):
        with self.chrome():
            self.script(f"Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', {0 if on else 1});")

    def screenshot(self, path, full=False):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("WebDriver:TakeScreenshot", {"full": full})["value"]))

    def install(self, path):
        return self.send("Addon:Install", {"path": path, "temporary": True})["value"]

    def quit(self):
        self.send("Marionette:Quit", {"flags": ["eForceQuit"]})


@contextlib.contextmanager
def serve(folder):
    """A web server for a folder: its address, and the list of the paths that were asked for."""
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".mjs": "text/javascript"}

        def __init__(self, *args):
            super().__init__(*args, directory=folder)

        def log_message(self, *_):
            asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
