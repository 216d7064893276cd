"""The filter's program, run by a small interpreter of BPF, for both machines."""

import struct
from errno import EAFNOSUPPORT, ENOSYS, EPERM
from typing import Any

import pytest

from polyassay.sandbox.linux.seccomp import (
    DENIED,
    NESTING,
    docker_profile,
    numbers,
    program,
    program_of_child,
)

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL = 0x7FFF0000, 0x80000000
MACHINES = pytest.mark.parametrize("machine", list(AUDIT))


def action(code: bytes, number: int, machine: str, first: int = 0, audit: int = 0) -> int:
    data = struct.pack("=iIQ6Q", number, audit or AUDIT[machine], 0, first, 0, 0, 0, 0, 0)
    program = list(struct.iter_unpack("=HBBI", code))
    loaded = at = 0
    while True:
        operation, yes, no, value = program[at]
        at += 1
        if operation == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif operation == 0x06:
            return value
        else:
            holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: loaded & value != 0}
            at += yes if holds[operation] else no


def errno(number: int) -> int:
    return 0x00050000 | number


@MACHINES
def test_every_known_call_is_allowed_or_denied_as_the_table_says(machine):
    code = program(machine=machine)
    denied = {name for names in DENIED.values() for name in names.split()}
    checked = {"socket", "socketpair", "clone", "clone3"}
    assert denied <= set(numbers(machine))
    for name, number in numbers(machine).items():
        if number is not None and name not in checked:
            wanted = errno(EPERM) if name in denied else ALLOW
            assert action(code, number, machine) == wanted, name


@MACHINES
def test_calls_newer_than_the_table_do_not_exist(machine):
    for number in (451, 462, 600, 0x40000000 + 41, 0x7FFFFFFF, -1):
        assert action(program(machine=machine), number, machine) == errno(ENOSYS)


@MACHINES
def test_another_architecture_kills(machine):
    assert action(program(machine=machine), 1, machine, audit=0x40000003) == KILL


@MACHINES
@pytest.mark.parametrize("call", ["socket", "socketpair"])
def test_only_unix_and_inet_sockets(machine, call):
    number = numbers(machine)[call]
    assert number is not None
    families = {
        f for f in range(64) if action(program(machine=machine), number, machine, f) == ALLOW
    }
    assert families == {1, 2, 10}
    vsock = 40
    assert action(program(machine=machine), number, machine, vsock) == errno(EAFNOSUPPORT)


@MACHINES
def test_clone_makes_threads_and_processes_and_no_namespaces(machine):
    number, three = numbers(machine)["clone"], numbers(machine)["clone3"]
    assert number is not None and three is not None
    thread, fork = 0x3D0F00, 17
    for flags in (thread, fork):
        assert action(program(machine=machine), number, machine, flags) == ALLOW
    for shift in (17, 25, 26, 27, 28, 29, 30):
        assert action(program(machine=machine), number, machine, 1 << shift | fork) == errno(EPERM)
    assert action(program(machine=machine), three, machine) == errno(ENOSYS)


@MACHINES
def test_a_zygote_gets_what_nesting_takes_and_no_more(machine):
    differing = {
        name
        for name, number in numbers(machine).items()
        if number is not None
        and action(program(machine=machine), number, machine)
        != action(program(True, machine), number, machine)
    }
    assert differing == NESTING


@MACHINES
def test_a_zygotes_children_get_no_more_than_anybody(machine):
    """Of two filters, the kernel takes the answer that allows less."""
    nesting, child = program(True, machine), program_of_child(machine)
    for name, number in numbers(machine).items():
        if number is None or name == "clone3":
            continue
        for argument in (0, 17, 1 << 17 | 17, 1 << 28 | 17, 40):
            actions = {action(code, number, machine, argument) for code in (nesting, child)}
            wanted = action(program(machine=machine), number, machine, argument)
            assert wanted in actions and actions <= {wanted, ALLOW}, name


def test_docker_gets_the_same_policy():
    profile: dict[str, Any] = docker_profile()
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    allowed = set(profile["syscalls"][0]["names"])
    assert {"read", "execve", "futex"} <= allowed
    assert not allowed & {"mount", "bpf", "keyctl", "socket", "clone", "clone3"}
