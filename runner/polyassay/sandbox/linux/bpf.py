"""A very small assembler for the kernel's classic BPF, as far as system call filters need it."""

import struct
from typing import NamedTuple

_LOAD_WORD, _RETURN = 0x20, 0x06
_JUMPS = {"==": 0x15, ">=": 0x35, "&": 0x45}
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_LAYOUT = struct.Struct("=HBBI")


class Instruction(NamedTuple):
    code: int
    yes: int  # instructions to skip where the comparison holds
    no: int
    value: int


def load(offset: int) -> Instruction:
    """Loads a word of the call: its number at 0, architecture at 4, first argument at 16."""
    return Instruction(_LOAD_WORD, 0, 0, offset)


def jump_if(comparison: str, value: int, yes: int, no: int) -> Instruction:
    return Instruction(_JUMPS[comparison], yes, no, value)


def allow() -> Instruction:
    return Instruction(_RETURN, 0, 0, _ALLOW)


def fail(errno: int) -> Instruction:
    return Instruction(_RETURN, 0, 0, _ERRNO | errno)


def kill() -> Instruction:
    return Instruction(_RETURN, 0, 0, _KILL_PROCESS)


def assemble(code: list[Instruction]) -> bytes:
    return b"".join(_LAYOUT.pack(*instruction) for instruction in code)
