"""Cuts the fonts: ``python -m tests.display.fonts NOTO_FOLDER CJK_FILE DEJAVU_FILE`` writes ``table/display/fonts/``.

The sources are Debian's packages fonts-noto-core, fonts-noto-extra, fonts-noto-cjk and fonts-dejavu-core; fontTools
cuts them (``pip install fonttools``, for this alone). Kept are the letters that names and the languages need, without
hints. Kanji are those of JIS X 0208.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OUT = Path(__file__).parents[2] / "table" / "display" / "fonts"
SPOKEN = "U+0020-007E,U+00A0-052F,U+1E00-1FFF,U+2000-206F,U+20A0-20BF,U+2190-21FF"
ARABIC = "U+0600-06FF,U+0750-077F,U+200C-200D,U+25CC"
SIGNS = "U+2600-27BF,U+2B00-2BFF,U+1F300-1FAFF"
FACES = "U+1F300-1F6FF,U+2600-27BF"
KANA = "U+3000-301F,U+3041-30FF,U+FF01-FF5E,U+FF65-FF9F"


def kanji() -> str:
    """The Chinese letters of Japanese names, as a list of code points."""
    codes = (bytes([row + 0xA0, cell + 0xA0]) for row in range(16, 85) for cell in range(1, 95))
    return ",".join(f"U+{ord(letter):04X}" for code in codes for letter in code.decode("euc_jp", "ignore"))


def cut(source: Path, name: str, letters: str, *more: str) -> None:
    """Write the font ``source`` with these letters alone."""
    command = [sys.executable, "-m", "fontTools.subset", str(source), f"--output-file={OUT / name}"]
    subprocess.run([*command, f"--unicodes={letters}", "--no-hinting", *more], check=True)


def main() -> None:
    noto, cjk, dejavu = map(Path, sys.argv[1:])
    for weight in ("Medium", "Bold"):
        cut(noto / f"NotoSans-SemiCondensed{weight}.ttf", f"NotoSans-SemiCondensed{weight}.ttf", SPOKEN)
        cut(noto / f"NotoSansHebrew-{weight}.ttf", f"NotoSansHebrew-{weight}.ttf", "*")
    cut(noto / "NotoSansArabic-Bold.ttf", "NotoSansArabic-Bold.ttf", ARABIC)
    cut(noto / "NotoSansSymbols2-Regular.ttf", "NotoSansSymbols2-Regular.ttf", SIGNS)
    cut(dejavu, "DejaVuSans.ttf", FACES)
    # The first of the collection's fonts is the Japanese one.
    cut(cjk, "NotoSansCJKjp-Bold.otf", f"{KANA},{kanji()}", "--font-number=0", "--layout-features=")


if __name__ == "__main__":
    main()
