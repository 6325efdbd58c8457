"""A laboratory of its own for a test, and a browser in front of it.

Each file beside this one is a list of things that a person does. Functions named `test_...` are run in their order with a
fresh page; `page` is Playwright's, `lab` is below. Pictures go to target/pictures, so that they can be looked at.
"""

import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[4]
PICTURES = ROOT / "target" / "pictures"

# The machine of the tests may have other tests to run.
expect.set_options(timeout=20_000)


class Laboratory:
    """A server with a data folder that goes away."""

    def __init__(self, program, with_samples):
        self.program = program
        self.folder = tempfile.TemporaryDirectory(prefix="ashta-browser-")
        if not with_samples:
            # Playing them takes a processor for minutes in a build with every check on.
            (pathlib.Path(self.folder.name) / "samples-made").touch()
        self.start()

    def start(self, address="127.0.0.1:0"):
        command = [self.program, "serve", "--listen", address, "--data", self.folder.name, "--no-browser"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = self.server.stdout.readline()
        found = re.search(r"(http://[\d.:]+)/\?token=(\w+)", said)
        assert found, f"the server said {said!r}"
        self.url, self.token = found.groups()
        # Whatever a test asks by itself, it asks as a script with the token.
        opener = urllib.request.build_opener()
        opener.addheaders = [("authorization", f"Bearer {self.token}")]
        urllib.request.install_opener(opener)

    def let_in(self, context):
        """Opens the address that was printed, so that the browser is remembered."""
        context.request.get(f"{self.url}/?token={self.token}")
        return context

    def kill(self):
        """As a power cut would."""
        self.server.kill()
        self.server.wait()

    def restart(self):
        """At the same address, as the page expects."""
        self.start(self.url.removeprefix("http://"))

    def ask(self, path, body=None, method=None):
        """The JSON API, as a notebook would ask it."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/{path}", data=data, method=method)
        request.add_header("content-type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()


def settle(page):
    """Until everything is drawn where it stays: observers of sizes and animations that end have run."""
    page.evaluate("""async () => {
        const frame = () => new Promise(requestAnimationFrame);
        await document.fonts.ready;
        for (let n = 0; n < 3; n += 1) await frame();
        const ends = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
        await Promise.allSettled(ends.map((one) => one.finished));
        await frame();
    }""")


def picture(page, name):
    """What a person sees, at 1280 and at 390 pixels; nothing may be wider than the screen."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    before = page.viewport_size
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        page.screenshot(path=PICTURES / f"{name}-{width}.png", full_page=True)
        too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert too_wide <= 0, f"{name} is {too_wide} pixels wider than a screen of {width}"
    page.set_viewport_size(before)
    settle(page)


def wait_until(page, said):
    """Until an expression of the page is true. The page's own policy forbids `wait_for_function`, which evaluates text there."""
    for _ in range(400):
        if page.evaluate(said):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {said}")


def run(names):
    """Runs every test of a file; called at its end with globals(). `WITH_SAMPLES` there asks for the sample games."""
    tests = [(name, test) for name, test in names.items() if name.startswith("test_") and inspect.isfunction(test)]
    only = sys.argv[2:]
    tests = [(name, test) for name, test in tests if not only or name in only]
    lab = Laboratory(sys.argv[1], names.get("WITH_SAMPLES", False))
    failed = []
    with sync_playwright() as playwright:
        program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        new_context = browser.new_context
        browser.new_context = lambda **options: lab.let_in(new_context(**options))
        for name, test in tests:
            context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB", accept_downloads=True)
            context.grant_permissions(["clipboard-read", "clipboard-write"], origin=lab.url)
            page = context.new_page()
            page.set_default_timeout(20_000)
            complaints = []
            page.on("pageerror", lambda error: complaints.append(str(error)))
            try:
                test(page, lab)
                assert not complaints, f"the page complained: {complaints}"
                print(f"ok {name}", flush=True)
            except Exception as error:  # every test is run, then all failures are told
                PICTURES.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=PICTURES / f"failed-{name}.png")
                failed.append(name)
                print(f"FAILED {name}: {error}\n{complaints}", flush=True)
            context.close()
        browser.close()
    lab.close()
    sys.exit(1 if failed else 0)


__all__ = ["Laboratory", "PICTURES", "expect", "picture", "run", "settle", "wait_until"]
