"""From a study file to a report, in one command."""

import fcntl
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from command_line import ROOT, command, environment
from fault_proxy import FaultProxy
from model_server import KEY, model_server

DEMO = ROOT / "tools" / "demo-study"


def polyassay(
    folder: Path, *arguments: str, **variables: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """The shipped demo study, on the first tasks of each suite."""
    text = (DEMO / "study.toml").read_text().replace("../../demo-study/", "")
    text = text.replace("tools/demo-study/tool.py", str(DEMO / "tool.py"))
    (tmp_path / "study.toml").write_text(text.replace("samples = 1", "samples = 1\nlimit = 6"))
    return tmp_path


def test_the_demo_study(demo: Path) -> None:
    preview = json.loads(polyassay(demo, "study", "preview", "study.toml", "--json").stdout)
    assert [tool["answers"] for tool in preview["tools"]] == [12] * 8
    ran = polyassay(demo, "study", "run", "study.toml", "--json")
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert set(told["tools"]) == set(told["answers"])
    settings = {name: values[1]["difference"] for name, values in told["settings"].items()}
    assert set(settings) == {"tool", "examples", "shown_tests"}
    for name, difference in settings.items():  # by construction
        assert difference["value"] > 0, name
        assert difference["pairs"] == 48
    assert settings["tool"]["answer"] == settings["shown_tests"]["answer"] == "better"
    assert all(told["tools"][tool]["tasks"] == 12 for tool in told["tools"])
    page = Path(demo, told["report"]).read_text()
    for part in ("setting-examples", "setting-shown_tests", "tests shown", '<svg class="interval'):
        assert part in page
    assert (demo / "report" / "index.html").is_file()
    for task in (demo / "report" / "tasks").glob("*.html"):
        assert task.read_text().count("The prompt as it was sent") == 8

    again = polyassay(demo, "study", "run", "study.toml", "--json")
    assert json.loads(again.stdout)["run"] == told["run"]  # nothing is asked or judged again
    shown = polyassay(demo, "study", "show", "study.toml", "--json")
    assert json.loads(shown.stdout)["settings"] == told["settings"]

    text = (demo / "study.toml").read_text().replace('"0.5"', '"0.6"')
    (demo / "study.toml").write_text(text)
    refused = polyassay(demo, "study", "run", "study.toml")
    assert refused.returncode == 2
    assert "command was" in refused.stderr


@pytest.mark.parametrize("suite", ["starter-java", "starter-python"])
def test_held_out_tests_do_not_judge(suite: str, tmp_path: Path) -> None:
    text = (
        f'suites = ["{suite}"]\nlimit = 5\n[[tool]]\nname = "known"\nvia = "command"\n'
        f'command = ["python3", "{DEMO / "tool.py"}", "1", "{{language}}", "{{task}}", "0"]\n'
        "[prompt]\nheld_out_tests = true\nseed = 4\nshown_tests = 1\n"
    )
    (tmp_path / "study.toml").write_text(text)
    ran = polyassay(tmp_path, "study", "run", "study.toml", "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["tools"]["known"]["pass@1"] == 1.0  # all that is left passes
    verdicts = polyassay(tmp_path, "verdicts", "latest", "--json").stdout.splitlines()
    judged = {
        value["task"]: {test["name"] for test in value["tests"]}
        for value in map(json.loads, verdicts)
    }
    shown = _shown(tmp_path / "study-answers" / "known.jsonl")
    assert any(shown.values())
    for task, names in shown.items():
        assert not names & judged[task]
        assert judged[task]


def _shown(path: Path) -> dict[str, set[str]]:
    lines = map(json.loads, path.open())
    return {line["task"]: set(line["origin"]["settings"]["shown_test_names"]) for line in lines}


def test_judging_by_one_test(tmp_path: Path) -> None:
    arguments = ("run", "-s", "starter-python", "-s", "starter-java", "-c", "reference")
    ran = polyassay(tmp_path, *arguments, "--limit", "6", "--eval-tests", "1", "--seed", "2")
    assert ran.returncode == 0, ran.stderr
    verdicts = polyassay(tmp_path, "verdicts", "latest", "--json").stdout.splitlines()
    totals = [json.loads(line)["total"] for line in verdicts]
    assert sum(total == 1 for total in totals) > 8  # some cannot be taken apart
    whole = polyassay(tmp_path, *arguments, "--limit", "6")
    assert whole.returncode == 0
    first, second = (run["id"] for run in _runs(tmp_path))
    compared = polyassay(tmp_path, "compare", first, "reference", "reference", "--with", second)
    assert compared.returncode == 2
    assert "1 drawn test a task (seed 2)" in compared.stderr


def _runs(folder: Path) -> list[dict[str, Any]]:
    import sqlite3

    with sqlite3.connect(folder / ".polyassay" / "store.sqlite") as store:
        return [{"id": row[0]} for row in store.execute("SELECT id FROM runs ORDER BY created")]


def test_the_key_is_in_no_file(tmp_path: Path) -> None:
    """A whole study at a server that wants a key: store, answers, logs and report lack it."""
    with model_server(tmp_path, "--slots", "2") as port:
        proxy = FaultProxy(port)
        work = tmp_path / "work"
        work.mkdir()
        (work / "study.toml").write_text(
            'suites = ["starter-python"]\nlimit = 3\nsamples = 2\n[[tool]]\nname = "tiny"\n'
            f'via = "openai"\nmodel = "tiny-random"\nbase_url = "{proxy.url}"\n'
            'api_key_env = "TESTS_KEY"\nmax_tokens = 20\n'
            "price = { input = 1.0, output = 2.0, per = 1000 }\n"
        )
        ran = polyassay(work, "study", "run", "study.toml", TESTS_KEY=KEY)
        assert ran.returncode == 0, ran.stderr
        proxy.close()
    assert all(sent.headers["authorization"] == f"Bearer {KEY}" for sent in proxy.log)
    assert len(proxy.log) == 3
    assert KEY not in ran.stdout + ran.stderr
    files = [path for path in work.rglob("*") if path.is_file()]
    assert {"store.sqlite", "tiny.jsonl", "study.html"} <= {path.name for path in files}
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path
    page = (work / "study-report" / "study.html").read_text()
    assert "tiny-random" not in KEY
    assert "against cost" in page and 'class="trend"' in page
    scored = polyassay(work, "score", "latest", "--measure", "cost", "--json")
    assert scored.returncode == 0, scored.stderr


def test_two_processes_on_one_study_exclude_each_other(demo: Path) -> None:
    (demo / "answers").mkdir()
    with (demo / "answers" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = polyassay(demo, "study", "run", "study.toml")
    assert second.returncode == 2
    assert "Another process is running study.toml" in second.stderr


def test_a_host_elsewhere_is_asked_about_before_anything_is_sent(demo: Path) -> None:
    text = (demo / "study.toml").read_text() + (
        '\n[[tool]]\nname = "far"\nvia = "openai"\nmodel = "m"\n'
        'base_url = "http://model.invalid/v1"\ntries = 1\n'
    )
    (demo / "study.toml").write_text(text)
    refused = polyassay(demo, "study", "run", "study.toml")
    assert refused.returncode == 2
    assert "starter-java, starter-python would be sent to model.invalid" in refused.stderr
    assert not (demo / "answers").exists()


def test_a_dry_run_asks_and_writes_nothing(tmp_path: Path) -> None:
    arguments = ("generate", "-s", "starter-python", "--tool", "x", "--via", "openai", "--model")
    flags = ("m", "-n", "5", "-o", "x.jsonl", "--max-tokens", "100", "--price", "1", "2")
    ran = polyassay(tmp_path, *arguments, *flags, "--limit", "4", "--dry-run", "--json")
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["requests"], told["answers"], told["output_tokens"]) == (4, 20, 2000)
    assert told["cost"] == pytest.approx((told["input_tokens"] + 2 * 2000) / 1e6)
    assert not (tmp_path / "x.jsonl").exists()


def test_a_study_for_what_is_here(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "datasets" / "answers", tmp_path / "answers")
    made = polyassay(tmp_path, "init", "--ports", "1")
    assert made.returncode == 0, made.stderr
    text = (tmp_path / "study.toml").read_text()
    assert 'path = "answers/finch"' in text
    preview = polyassay(tmp_path, "study", "preview", "study.toml")
    assert preview.returncode == 0, preview.stderr
    assert "heron" in preview.stdout
    assert polyassay(tmp_path, "init", "--ports", "1").returncode == 2  # it is there


def test_init_finds_a_server(tmp_path: Path) -> None:
    with model_server(tmp_path) as port:
        made = polyassay(tmp_path, "init", "--ports", f"1,{port}")
    assert made.returncode == 0, made.stderr
    text = (tmp_path / "study.toml").read_text()
    assert f'\nbase_url = "http://127.0.0.1:{port}/v1"' in text
