def test_one_packet():
    assert read_packets(b"\x00\x07\x03abc") == [(7, b"abc")]


def test_several_packets():
    data = b"\x01\x02\x01x" + b"\xff\xff\x00" + b"\x00\x00\x02\x00\x01"
    assert read_packets(data) == [(258, b"x"), (65535, b""), (0, b"\x00\x01")]


def test_longest_payload():
    payload = bytes(range(255))
    assert read_packets(b"\x80\x00\xff" + payload) == [(32768, payload)]


def test_no_data():
    assert read_packets(b"") == []
    assert read_packets(b"\x00\x09\x00") == [(9, b"")]


def test_ends_inside_header():
    for data in (b"\x00", b"\x00\x01", b"\x00\x01\x00\x05\x05"):
        try:
            read_packets(data)
            raised = False
        except ValueError:
            raised = True
        assert raised, f"ValueError expected for {data!r}"


def test_ends_inside_payload():
    for data in (b"\x00\x01\x04abc", b"\x00\x01\x01a\x00\x02\x01"):
        try:
            read_packets(data)
            raised = False
        except ValueError:
            raised = True
        assert raised, f"ValueError expected for {data!r}"
