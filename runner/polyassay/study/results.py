"""What the run of a study tells besides its score table."""

from collections.abc import Sequence
from dataclasses import dataclass

from polyassay.errors import PolyAssayError
from polyassay.measures.results import load
from polyassay.measures.units import same_for_all
from polyassay.report.tables import Table
from polyassay.store import Store
from polyassay.study.effects import SettingEffects, against, effects_of
from polyassay.study.file import Study
from polyassay.study.tables import AnswersOfTool, asked_tools, baseline_table
from polyassay.study.variants import Variant


@dataclass(frozen=True, slots=True)
class Shown:
    asked: list[AnswersOfTool]
    effects: list[SettingEffects]
    against: Table | None


def results_of(store: Store, study: Study, every: Sequence[Variant], run_id: str) -> Shown:
    scores = same_for_all(load(store, store.run(run_id)).scores)
    against_it = None
    if study.baseline:
        if study.baseline not in scores:
            known = ", ".join(scores)
            raise PolyAssayError(
                f'The study compares with "{study.baseline}", which the run does not have.',
                f"name one of {known} as baseline.",
            )
        metrics = against(scores, study.baseline, study.measure)
        against_it = baseline_table(metrics, study.baseline, study.measure, study.margin)
    return Shown(
        asked_tools(scores, store.origins(run_id), study.measure),
        effects_of(every, study.varied, scores, study.measure),
        against_it,
    )
