"""Formats the sources of the page with Prettier, or checks that they are formatted: `page_format.py check|write FOLDER`.

Prettier has no dependencies: one archive of the npm registry, pinned by its digest, unpacked once into FOLDER. Playwright brings
the Node that runs it, so neither Node nor npm is needed. The exit status is 3 where one of the two cannot be had.
"""

import base64
import hashlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

VERSION = "3.6.2"
DIGEST = "I7AIg5boAr5R0FFtJ6rCfD+LFsWHp81dolrFD8S79U9tb8Az2nGrJncnMSnys+bpQJfRUzqs9hnA81OAA3hCuQ=="
ARCHIVE = f"https://registry.npmjs.org/prettier/-/prettier-{VERSION}.tgz"
ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = "crates/web/page/**/*.{js,css}"
UNAVAILABLE = 3


def install(folder):
    """The program's first file; downloaded unless it is there."""
    home = folder / f"prettier-{VERSION}"
    if not home.is_dir():
        with urllib.request.urlopen(ARCHIVE, timeout=60) as answer:
            archive = answer.read()
        digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
        if digest != DIGEST:
            raise OSError(f"{ARCHIVE} has the SHA-512 digest {digest}, not {DIGEST}")
        with tempfile.TemporaryDirectory(dir=folder) as unpacked:
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                files.extractall(unpacked, filter="data")
            (pathlib.Path(unpacked) / "package").rename(home)
    return home / "bin" / "prettier.cjs"


def node():
    import playwright

    return pathlib.Path(playwright.__file__).parent / "driver" / "node"


def main(task, folder):
    try:
        command = [node(), install(pathlib.Path(folder))]
        options = ["--write", "--log-level", "warn"] if task == "write" else ["--check"]
        return subprocess.run([*command, *options, SOURCES], cwd=ROOT).returncode
    except (ImportError, OSError) as error:
        print(f"  {error}", file=sys.stderr)
        return UNAVAILABLE


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
