"""Killed at any moment and started again: nothing is lost, and nothing is asked twice."""

import hashlib
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import command, environment
from fault_proxy import FaultProxy
from model_server import KEY, model_server

KILLS, SAMPLES, AT_ONCE = 20, 12, 4


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[FaultProxy]:
    with model_server(tmp_path, "--slots", "4") as port:
        proxy = FaultProxy(port)
        yield proxy
        proxy.close()


def start(proxy: FaultProxy, folder: Path) -> "subprocess.Popen[bytes]":
    arguments = command(
        *("generate", "-s", "starter-python", "--tool", "tiny", "--via", "openai"),
        *("--model", "tiny-random", "--base-url", proxy.url, "--api-key-env", "TESTS_KEY"),
        *("--max-tokens", "40", "--seed", "100", "-n", str(SAMPLES)),
        *("--concurrency", str(AT_ONCE), "-o", "answers.jsonl"),
    )
    with (folder / "out.txt").open("ab") as log:
        return subprocess.Popen(
            arguments, cwd=folder, env=environment(TESTS_KEY=KEY), stdout=log, stderr=log
        )


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """What a process that starts now finds; the last line may be torn."""
    content = path.read_bytes() if path.exists() else b""
    return [json.loads(line) for line in content.splitlines(keepends=True) if line.endswith(b"\n")]


def asked(sent: Any) -> tuple[str, int]:
    plain = [[message["role"], message["content"]] for message in sent.body["messages"]]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest(), sent.body["seed"] - 100


def answered(line: dict[str, Any]) -> tuple[str, int]:
    return line["origin"]["prompt_sha256"], line["sample"]


def test_twenty_kills(proxy: FaultProxy, tmp_path: Path) -> None:
    chance = random.Random(7)
    answers = tmp_path / "answers.jsonl"
    for _ in range(KILLS):
        present = whole_lines(answers)
        begun, known = len(proxy.log), {answered(line) for line in present}
        process = start(proxy, tmp_path)
        enough = len(present) + chance.randrange(1, 16)
        while process.poll() is None and len(whole_lines(answers)) < enough:
            time.sleep(0.005)
        time.sleep(chance.random() * 0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert not {asked(sent) for sent in proxy.log[begun:]} & known
    assert process.returncode == -signal.SIGKILL
    last = start(proxy, tmp_path)
    assert last.wait() == 0, (tmp_path / "out.txt").read_text()
    found = whole_lines(answers)
    tasks = {line["task"] for line in found}
    assert len(found) == SAMPLES * len(tasks) > 300
    assert len({line["origin"]["fingerprint"] for line in found}) == len(found)
    assert len({(line["task"], line["sample"]) for line in found}) == len(found)
    assert len(proxy.log) - len(found) <= KILLS * AT_ONCE
    for file in tmp_path.rglob("*"):  # the key is nowhere
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), file


def test_two_processes_exclude_each_other(proxy: FaultProxy, tmp_path: Path) -> None:
    first = start(proxy, tmp_path)
    while not whole_lines(tmp_path / "answers.jsonl"):
        time.sleep(0.01)
    second = start(proxy, tmp_path)
    assert second.wait() == 2
    assert "Another process is writing answers.jsonl" in (tmp_path / "out.txt").read_text()
    first.kill()
    first.wait()
