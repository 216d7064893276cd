"""The report's colours: readable, and told apart by people who see fewer of them."""

import re
from itertools import combinations
from math import copysign, dist

import pytest

from real_parts import ROOT

STYLE = (ROOT / "runner/polyassay/report/static/style.css").read_text("utf-8")
PALETTE = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(
        r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", STYLE
    )
}
TEXTS = ("ink", "soft", "accent", "good", "bad", "kw", "str", "com", "num", "name")
TOOLS = tuple(f"t{n}" for n in range(6))
OUTCOMES = ("passed", "failed", "unbuilt", "timed_out", "out_of_memory", "crashed")
# Machado, Oliveira and Fernandes (2009), severity 1.
SEEN = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}
Colour = tuple[float, float, float]


def linear(colour: str) -> Colour:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return red, green, blue


def contrast(a: str, b: str) -> float:
    """As WCAG 2 defines it."""
    light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(a), linear(b))]
    return (max(light) + 0.05) / (min(light) + 0.05)


def oklab(colour: Colour) -> Colour:
    r, g, b = colour
    long = 0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b
    middle = 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b
    short = 0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b
    x, y, z = (copysign(abs(v) ** (1 / 3), v) for v in (long, middle, short))
    return (
        0.2104542553 * x + 0.7936177850 * y - 0.0040720468 * z,
        1.9779984951 * x - 2.4285922050 * y + 0.4505937099 * z,
        0.0259040371 * x + 0.7827717662 * y - 0.8086757660 * z,
    )


def seen(colour: str, matrix: tuple[Colour, ...]) -> Colour:
    given = linear(colour)
    r, g, b = (
        min(1.0, max(0.0, sum(a * c for a, c in zip(row, given, strict=True)))) for row in matrix
    )
    return oklab((r, g, b))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read(scheme: str) -> None:
    for name in TEXTS:
        for ground in ("paper", "panel"):
            found = contrast(PALETTE[name][scheme], PALETTE[ground][scheme])
            assert found >= 4.5, f"{name} on {ground}: {found:.2f}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_drawn_can_be_seen(scheme: str) -> None:
    for name in TOOLS + OUTCOMES:
        found = contrast(PALETTE[name][scheme], PALETTE["paper"][scheme])
        assert found >= 3, f"{name}: {found:.2f}"


@pytest.mark.parametrize("sight", SEEN)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("names", [TOOLS, OUTCOMES], ids=["tools", "outcomes"])
def test_no_two_colours_look_alike(names: tuple[str, ...], scheme: str, sight: str) -> None:
    """Far enough apart in OKLab, also without red or green cones."""
    looks = {name: seen(PALETTE[name][scheme], SEEN[sight]) for name in names}
    for a, b in combinations(names, 2):
        assert 100 * dist(looks[a], looks[b]) >= 8, f"{a} and {b}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("sight", SEEN)
def test_the_heatmap_goes_by_lightness(sight: str, scheme: str) -> None:
    low, high = (seen(PALETTE[name][scheme], SEEN[sight])[0] for name in ("heat-low", "heat-high"))
    assert abs(high - low) > 0.4
