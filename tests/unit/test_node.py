"""What a machine of a cluster needs: the run's versions, and the jars that it lacks."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

import stub_slots
from made import candidates_for, make_task
from polyassay.dispatch import node
from polyassay.dispatch.messages import Done, Failed, Packer, Ready
from polyassay.dispatch.ray_actor import SlotActor
from polyassay.dispatch.scheduling import Batch
from polyassay.environments import cache
from polyassay.environments.freeing import entries, free
from polyassay.environments.suite_jars import place_of
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import Judging, Suite
from polyassay.sandbox.none import NoSandbox

JAR = b"a jar"
SHA = hashlib.sha256(JAR).hexdigest()


@pytest.fixture
def needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> node.NodeNeeds:
    monkeypatch.setenv("POLYASSAY_CACHE", str(tmp_path / "cache"))
    task = make_task("a", jars={"a.jar": SHA})
    suite = Suite("s", "1.0", "0" * 64, (task,))
    settings = RunSettings(NoSandbox(), tmp_path, judge=Judging.APART, reuse=7, jobs=3)
    return node.needs_of(settings, {"s": suite}, {})


def test_settings_are_made_anew_on_the_node(needs: node.NodeNeeds, tmp_path: Path) -> None:
    settings = node.prepare(needs, lambda _: JAR)
    assert settings.home == node.node_home(needs) == tmp_path / "cache" / "nodes" / needs.checksum
    assert (settings.sandbox.name, settings.judge) == ("none", Judging.APART)
    assert (settings.reuse, settings.jobs) == (7, 3)


def test_a_jar_is_asked_for_once(needs: node.NodeNeeds) -> None:
    asked: list[str] = []

    def fetch(checksum: str) -> bytes:
        asked.append(checksum)
        return JAR

    for _ in range(2):
        settings = node.prepare(needs, fetch)
        assert place_of(settings.home, SHA).read_bytes() == JAR
    assert asked == [SHA]


def test_runs_with_other_jars_or_libraries_have_homes_of_their_own(needs: node.NodeNeeds) -> None:
    newer = Suite("s", "1.1", "1" * 64, (), libraries={"current": ("numpy==2",)})
    others = [
        replace(needs, jars=("0" * 64,)),
        replace(needs, suites=(newer,), environments={"s": ("current", "3.11.2")}),
        replace(needs, suites=(newer,), environments={"s": ("older", "3.11.2")}),
        replace(needs, suites=(replace(newer, libraries={"current": ("numpy==1",)}),)),
    ]
    assert len({node.node_home(one) for one in (needs, *others)}) == 5
    assert node.node_home(replace(needs, reuse=1, jobs=64)) == node.node_home(needs)


def test_a_nodes_home_is_freed_but_not_while_it_is_used(needs: node.NodeNeeds) -> None:
    home = node.prepare(needs, lambda _: JAR).home
    (found,) = (entry for entry in entries(home.parents[1]) if entry.kind == "nodes")
    assert found.place == home
    assert not free(found)
    cache._held.pop(cache.mark_of(home)).close()  # as when the node's process ends
    assert free(found)
    assert list(home.parent.iterdir()) == []


def test_other_versions_are_refused_by_name(needs: node.NodeNeeds) -> None:
    with pytest.raises(PolyAssayError, match="Another PolyAssay"):
        node.prepare(replace(needs, code="other"), lambda _: JAR)
    with pytest.raises(PolyAssayError, match=r"Python is version .*, and the run's is 2\.7"):
        node.prepare(replace(needs, versions={"python": "2.7"}), lambda _: JAR)


def test_without_the_variable_things_are_in_the_users_cache(
    needs: node.NodeNeeds, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("POLYASSAY_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert node.node_home(needs).parent == tmp_path / "polyassay" / "nodes"


def test_an_actor_answers_instead_of_raising(needs: node.NodeNeeds) -> None:
    needs = replace(needs, jars=())
    actor = SlotActor(stub_slots.RaisingSlot, needs, {})
    assert isinstance(actor.open(), Ready)
    packer, pairs = Packer(), candidates_for(make_task("a"), stub_slots.UNLUCKY + 1)
    done = actor.judge(packer.pack(Batch(tuple(pairs[:2]))))
    assert isinstance(done, Done) and len(done.verdicts) == 2
    failed = actor.judge(packer.pack(Batch((pairs[-1],))))
    assert isinstance(failed, Failed) and str(failed.error) == "broken slot"
    assert actor.close() is None


def test_an_actor_that_cannot_open_or_close_says_why(needs: node.NodeNeeds) -> None:
    needs = replace(needs, jars=())
    refused = SlotActor(stub_slots.RefusingSlot, needs, {}).open()
    assert isinstance(refused, Failed) and str(refused.error) == "no slot"
    actor = SlotActor(stub_slots.ClosingBadlySlot, needs, {})
    assert actor.close() is None, "nothing is open"
    actor.open()
    failed = actor.close()
    assert failed is not None and str(failed.error) == "cannot close"
