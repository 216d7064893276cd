"""Frames in what was received so far."""

import pytest

from polyassay_harness.wire.frames import Broken, first_frame, framed, whole_frames

TWO = framed(b"one") + framed(b"") + framed(b"three")


def test_a_frame_is_there_when_all_of_it_is() -> None:
    whole = framed(b"one")
    for end in range(len(whole)):
        assert first_frame(whole[:end]) is None
    place = first_frame(bytearray(TWO))
    assert place is not None
    assert TWO[place] == b"one"
    assert TWO[place.stop :] == framed(b"") + framed(b"three")


def test_a_length_that_is_not_allowed_is_refused_before_anything_follows() -> None:
    with pytest.raises(Broken, match="a frame of 3 bytes"):
        first_frame(framed(b"one")[:4], limit=2)


@pytest.mark.parametrize("end", [b"", b"\0", b"\0\0\0\x05four", b"\xff" * 9])
def test_what_is_no_whole_frame_ends_them(end: bytes) -> None:
    assert list(whole_frames(TWO + end)) == [b"one", b"", b"three"]
