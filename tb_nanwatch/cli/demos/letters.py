"""Letters A to J in many fonts, 28 x 28, as notMNIST has them, rendered from the fonts that matplotlib ships."""

from __future__ import annotations

import pathlib

import matplotlib
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

LETTERS = "ABCDEFGHIJ"
SIZE = 28
_FONTS = (
    *(f"DejaVuSans{style}" for style in ("", "-Bold", "-Oblique", "-BoldOblique")),
    *(f"DejaVuSansMono{style}" for style in ("", "-Bold", "-Oblique", "-BoldOblique")),
    *(f"DejaVuSerif{style}" for style in ("", "-Bold", "-Italic", "-BoldItalic")),
    *(f"STIXGeneral{style}" for style in ("", "Bol", "BolIta", "Italic")),
    *("cmb10", "cmr10", "cmss10", "cmtt10", "cmmi10"),
)
_POINTS = (18, 20, 22, 24)


def make_letters(count: int, seed: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Renders letters, turned and shifted a little, with noise.

    Args:
        count: Number of pictures.
        seed: Seed of all that is random.

    Returns:
        Pictures as float32 `[count, 784]` between -0.5 and 0.5, and labels as int64 `[count]`.
    """
    rng = np.random.default_rng(seed)
    folder = pathlib.Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    fonts = [ImageFont.truetype(str(folder / f"{name}.ttf"), points) for name in _FONTS for points in _POINTS]
    labels = rng.integers(0, len(LETTERS), count)
    pictures = np.stack([_render(LETTERS[label], fonts[rng.integers(len(fonts))], rng) for label in labels])
    noisy = pictures + 0.05 * rng.standard_normal(pictures.shape)
    return np.clip(noisy - 0.5, -0.5, 0.5).astype(np.float32).reshape(count, -1), labels


def _render(letter: str, font: ImageFont.FreeTypeFont, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    image = Image.new("L", (SIZE, SIZE))
    center = SIZE / 2 + rng.uniform(-2, 2, 2)
    ImageDraw.Draw(image).text((center[0], center[1]), letter, fill=255, font=font, anchor="mm")
    turned = image.rotate(rng.uniform(-12, 12), resample=Image.Resampling.BILINEAR)
    return np.asarray(turned, dtype=np.float64) / 255
