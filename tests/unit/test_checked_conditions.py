"""Which board a submission is for, what of it is never ranked, and how it was judged."""

from made import make_task, make_verdict
from polyassay.measures.submitting.findings import other_board_findings, result_findings
from polyassay.measures.submitting.names import without_built_in
from polyassay.model import Candidate, CandidateKey, Judging, Suite
from polyassay.store import Run

SUITE = Suite("s", "1", "abc", (make_task("t0"),))


def answer(tool: str) -> Candidate:
    return Candidate(CandidateKey("s", "t0", tool, "en", 0), "x")


def test_what_keeps_a_run_from_the_boards_here_is_told() -> None:
    def run(name: str, python: str, **facts: object) -> Run:
        suites = {"s": {"version": "1", "checksum": "abc"}}
        return Run(name, "", {"suites": suites, "interpreters": {"s": python}, **facts})

    sent = run("sent", "Python 3.13.1 (conda)")
    (told,) = other_board_findings(sent, {"s": SUITE}, [run("r2", "Python 3.12.1 (Debian)")])
    assert told.sign == "·"
    assert told.text.startswith(
        "On s it has Python 3.13.1 (conda), and run r2 here Python 3.12.1 (Debian): ranked on a"
    )
    alike = [run("r2", "Python 3.12.1 (Debian)"), run("r1", "Python 3.13.1 (conda)")]
    assert not list(other_board_findings(sent, {"s": SUITE}, alike))
    assert not list(other_board_findings(sent, {"s": SUITE}, []))
    imported = run("r3", "Python 3.12.1 (Debian)", imported=True)
    assert not list(other_board_findings(sent, {"s": SUITE}, [imported]))


def test_the_share_that_was_judged_together_is_told() -> None:
    verdicts = [
        make_verdict(f"t{n}", 2, judged=Judging.TOGETHER if n else Judging.APART) for n in range(4)
    ]
    (_, together) = result_findings(verdicts)
    assert together.text.startswith("3 of 4 answers of heron were judged together")
    assert len(list(result_findings(verdicts[:1]))) == 1


def test_what_is_built_in_is_left_out_and_told() -> None:
    given = [answer("reference"), answer("finch"), answer("empty")]
    ranked, (told,) = without_built_in(given)
    assert [one.key.tool for one in ranked] == ["finch"]
    assert (told.sign, told.text) == ("·", "not ranked: reference, empty.")
    assert without_built_in(ranked) == (ranked, [])
    ranked, (told,) = without_built_in(given[:1])
    assert ranked == [] and told.refuses
