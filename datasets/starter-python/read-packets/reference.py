import struct


def read_packets(data):
    packets, place = [], 0
    while place < len(data):
        if len(data) - place < 3:
            raise ValueError("the data end inside a header")
        number, length = struct.unpack_from(">HB", data, place)
        place += 3
        if len(data) - place < length:
            raise ValueError("the data end inside a payload")
        packets.append((number, data[place : place + length]))
        place += length
    return packets
