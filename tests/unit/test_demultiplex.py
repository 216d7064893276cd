"""The engine's stream of pieces, however the socket cuts it."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from polyassay.sandbox.demultiplex import Demultiplexer

PIECES = st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=20)))


@given(PIECES, st.integers(1, 30))
def test_streams_are_told_apart(pieces, step):
    whole = b"".join(struct.pack(">BxxxI", stream, len(data)) + data for stream, data in pieces)
    demultiplexer = Demultiplexer()
    out = err = b""
    for at in range(0, len(whole), step):
        more_out, more_err = demultiplexer.feed(whole[at : at + step])
        out, err = out + more_out, err + more_err
    assert out == b"".join(data for stream, data in pieces if stream == 1)
    assert err == b"".join(data for stream, data in pieces if stream == 2)
