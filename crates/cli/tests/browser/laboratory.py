"""A laboratory for tests, and a browser in front of it.

Each file beside this one is a list of things that a person does: functions named `test_...` that take a fresh page of a fresh
browser context (`page`, Playwright's) and a server (`lab`, below). Tests share a server, so each makes what it needs under
names of its own and expects nothing of another test. One that needs a server to itself (its list of jobs, an empty data
folder, a kill) is marked `@own_server`; a file with `WITH_SAMPLES` has a server with the sample games.

`all.py` runs every file on several processes; a file alone, or some tests of it: `python play.py target/debug/ashta [test ...]`.
Pictures go to target/pictures, so that they can be looked at; `all.py` draws them with ASHTA_PICTURES=1.
"""

import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[4]
PICTURES = ROOT / "target" / "pictures"

# The headless shell has no browser window around the page: the tests take two thirds of the processor time.
CHROMIUMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]

# The machine of the tests may have other tests to run.
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)


class Laboratory:
    """A server: one that is running, or a new one with a data folder that goes away."""

    def __init__(self, program, with_samples=False):
        self.program = program
        self.folder = tempfile.TemporaryDirectory(prefix="ashta-browser-", ignore_cleanup_errors=True)
        if not with_samples:
            # Playing them takes a processor for a while in a build with every check on.
            (pathlib.Path(self.folder.name) / "samples-made").touch()
        self.start()

    def start(self, address="127.0.0.1:0"):
        command = [self.program, "serve", "--listen", address, "--data", self.folder.name, "--no-browser"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.opened(self.server.stdout.readline())

    def opened(self, said):
        """Takes the address from what a server says of itself; it may end in a token."""
        found = re.search(r"(http://[\d.:]+)(?:/\?token=(\w+))?", said)
        assert found, f"the server said {said!r}"
        self.said = said
        self.url, self.token = found.groups()

    @classmethod
    def at(cls, said):
        """A server that somebody else has started and will end."""
        lab = cls.__new__(cls)
        lab.opened(said)
        return lab

    def kill(self):
        """As a power cut would."""
        self.server.kill()
        self.server.wait()

    def restart(self):
        """At the same address, as the page expects."""
        self.start(self.url.removeprefix("http://"))

    def request(self, path, body=None, method=None):
        """What a notebook would have: the bytes of an answer."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/{path}", data=data, method=method)
        request.add_header("content-type", "application/json")
        if self.token:
            request.add_header("authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def ask(self, path, body=None, method=None):
        """The JSON API."""
        return json.loads(self.request(path, body, method))

    def wait_for(self, path, holds):
        """Asks until what is answered holds."""
        for _ in range(1200):
            answer = self.ask(path)
            if holds(answer):
                return answer
            time.sleep(0.1)
        raise AssertionError(f"{path} never was as it should: {answer}")

    def new_context(self, browser, **options):
        """A browser that nobody has used; it has opened the address that was printed."""
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", "accept_downloads": True, **options})
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self.url)
        if self.token:
            context.request.get(f"{self.url}/?token={self.token}")
        return context

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.server.stdout.close()
        self.folder.cleanup()


def own_server(test):
    """Marks a test that needs a server to itself."""
    test.own_server = {"with_samples": False}
    return test


def first_start(test):
    """Marks a test that needs a server which was never started before, and so begins to play its sample games."""
    test.own_server = {"with_samples": True}
    return test


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


# Whoever runs one file, or asks for them, wants to look at pictures; drawing them takes a third of the time.
WITH_PICTURES = pathlib.Path(sys.argv[0]).stem != "all" or "ASHTA_PICTURES" in os.environ


def picture(page, name):
    """What a person sees, at 1280 and at 390 pixels; nothing may be wider than the screen."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    before = page.viewport_size
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        if WITH_PICTURES:
            page.screenshot(path=PICTURES / f"{name}-{width}.png", full_page=True)
        too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert too_wide <= 0, f"{name} is {too_wide} pixels wider than a screen of {width}"
    page.set_viewport_size(before)
    settle(page)


def wait_until(page, said):
    """Until an expression of the page is true. The page's own policy forbids `wait_for_function`, which evaluates text there."""
    wait_while(page, lambda: not page.evaluate(said), said)


def wait_while(page, condition, what):
    """While a condition holds; the page goes on in the meantime."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while condition():
        assert time.monotonic() < end, f"never: {what}"
        page.wait_for_timeout(50)


def tests_of(names):
    """The tests of a file, in their order. With `OWN_SERVERS` each has a server to itself."""
    tests = {name: test for name, test in names.items() if name.startswith("test_") and inspect.isfunction(test)}
    return {name: own_server(test) if names.get("OWN_SERVERS") else test for name, test in tests.items()}


class Browser:
    """A browser that does one test after another."""

    def __init__(self, program, playwright):
        self.program = program
        chromium = os.environ.get("CHROMIUM") or next(path for path in CHROMIUMS if os.path.exists(path))
        self.browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

    def do(self, name, test, shared):
        """Does a test; gives whether it went well and what is to be told of it."""
        begun = time.monotonic()
        own = getattr(test, "own_server", None)
        lab = Laboratory(self.program, **own) if own else shared
        try:
            problem = self.problem_of(name, test, lab)
        finally:
            if lab is not shared:
                lab.close()
        took = f"{time.monotonic() - begun:.1f} s"
        return (not problem, f"FAILED {name} ({took}): {problem}" if problem else f"ok {name} {took}")

    def problem_of(self, name, test, lab):
        context = lab.new_context(self.browser)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        try:
            test(page, lab)
            assert not complaints, f"the page complained: {complaints}"
            return None
        except Exception as error:  # every test is run, then all failures are told
            PICTURES.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=PICTURES / f"failed-{name}.png")
            return f"{error}\n{complaints}"
        finally:
            context.close()

    def close(self):
        self.browser.close()


def run(names):
    """Runs the tests of one file, or those that are named; called at its end with globals()."""
    only = sys.argv[2:]
    tests = {name: test for name, test in tests_of(names).items() if not only or name in only}
    shared = Laboratory(sys.argv[1], names.get("WITH_SAMPLES", False))
    with sync_playwright() as playwright:
        browser = Browser(sys.argv[1], playwright)
        results = []
        for name, test in tests.items():
            results.append(browser.do(name, test, shared))
            print(results[-1][1], flush=True)
        browser.close()
    shared.close()
    sys.exit(0 if all(went_well for went_well, _ in results) else 1)


__all__ = ["Laboratory", "PICTURES", "ROOT", "expect", "first_start", "own_server", "picture", "run", "settle", "wait_until", "wait_while"]
