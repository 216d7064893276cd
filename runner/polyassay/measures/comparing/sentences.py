"""What a comparison says, in words that need no statistics.

A sample *solves* a task where it passes all of its tests; *passes* is said of tests only.
"""

from collections.abc import Sequence
from math import floor, log10

from polyassay.measures.comparing.margins import Decision, Margin, MarginAnswer
from polyassay.measures.comparing.two import Answer, Comparison, Metric
from polyassay.measures.table import Scale
from polyassay.statistics.clusters import ALPHA
from polyassay.statistics.paired import FEWEST
from polyassay.texts import say
from polyassay.wording import asked_told, counted, fixed

PLAN = "--suite SUITE"  # for `power`, where no run of both tools is at hand
GRADERS_PLAN = "--graders 1,2,3 --suite SUITE"
_USUAL = 5.0  # points that a team often asks for
_HOPELESS = 0.9  # of all that a scale allows: who needs such a difference learns nothing


def summary(
    comparison: Comparison, name: str, plan: str = PLAN, *, turns: bool = False
) -> list[str]:
    """The answer, and how far it can be trusted; `plan`: whose tasks `power` is to plan with."""
    answer = f"{headline(comparison, name, turns=turns)}: {evidence(comparison, name)}."
    return [answer, *outlook(comparison, name, plan)]


def headline(comparison: Comparison, name: str, *, opens: bool = True, turns: bool = False) -> str:
    """`opens`: whether it opens a sentence; `turns`: whether missing answers could turn it."""
    answer = comparison.metrics[name].answer
    better = {Answer.BETTER: comparison.b, Answer.WORSE: comparison.a}.get(answer)
    if better:
        told = "{tool} is ahead, but answers are missing" if turns else "{tool} is better"
        return say(told, tool=better)
    return say("Cannot tell which is better" if opens else "cannot tell which is better")


def evidence(comparison: Comparison, name: str) -> str:
    """By how much the one with the higher value is ahead; of the better one where there is one."""
    metric = comparison.metrics[name]
    if alike := _alike(comparison, metric):
        return alike
    higher, lower, difference, low, high = (
        (comparison.b, comparison.a, metric.difference, metric.interval.low, metric.interval.high)
        if metric.difference >= 0
        else (
            comparison.a,
            comparison.b,
            -metric.difference,
            -metric.interval.high,
            -metric.interval.low,
        )
    )
    scale = metric.measure.scale
    digits = _digits(scale, difference, low, high)
    told = {
        "tool": higher,
        "lower": lower,
        "says": say(metric.measure.says, much=amount(difference, scale, digits)),
        "confidence": _confidence(metric),
        "ends": _ends(low, high, metric, digits),
    }
    if metric.too_few:  # a range from nearly −100 to 100 would say less
        return say("{tool} {says}, but these are too few tasks", **told)
    better = {Answer.BETTER: comparison.b, Answer.WORSE: comparison.a}.get(metric.answer)
    if better is None:
        return say("{tool} {says} ({confidence}: {ends})", **told)
    if better == higher:
        return say("it {says} than {lower} ({confidence}: {ends})", **told)
    return say("{tool} {says} than {lower} ({confidence}: {ends})", **told)


def _alike(comparison: Comparison, metric: Metric) -> str:
    """Where no unit differs there is nothing to be ahead by; what may be is said all the same."""
    if metric.ahead or metric.behind:
        if abs(metric.difference) > 1e-12:
            return ""
        value = shown(metric.a, metric.measure.scale)
        ends = metric.interval
        return say(
            "both have {value}; the true difference may be {low} to {high} ({confidence})",
            value=value,
            confidence=_confidence(metric),
            low=number(ends.low, metric.measure.scale),
            high=amount(ends.high, metric.measure.scale),
        )
    units = _units(comparison, metric)
    if metric.units == 1:
        return say("there is no difference on the only task")
    if metric.measure.passing and metric.a == 0:
        return say("neither solves any of the {tasks}", tasks=units)
    if metric.measure.passing and metric.a == 1:
        return say("both solve all of the {tasks}", tasks=units)
    return say("there is no difference on any of the {tasks}", tasks=units)


def _units(comparison: Comparison, metric: Metric) -> str:
    """What values were compared of, all of them: 28 prompts of 15 tasks."""
    if not comparison.repeated:
        return counted(metric.units, "task")
    if metric.units == comparison.tasks:
        return asked_told(metric.units, comparison.distinct)
    return counted(metric.units, "prompt")


def _sample(comparison: Comparison, metric: Metric) -> str:
    """The same, and what chance is drawn by where it is neither prompt nor task."""
    units = _units(comparison, metric)
    if metric.clusters in (metric.units, comparison.distinct):
        return units
    return say("{units} in {groups}", units=units, groups=counted(metric.clusters, "group"))


def _fewest(comparison: Comparison, metric: Metric) -> str:
    """By what chance is drawn: another prompt of the same tasks would not help."""
    drawn_by_task = metric.clusters in (metric.units, comparison.distinct)
    return counted(FEWEST, "task" if drawn_by_task else "group")


def outlook(comparison: Comparison, name: str, plan: str = PLAN) -> list[str]:
    """What this many tasks can show, or a warning where the difference is likely overstated."""
    metric = comparison.metrics[name]
    tasks, smallest = _sample(comparison, metric), metric.detectable
    span = metric.measure.scale.span
    hopeless = smallest is not None and span is not None and smallest >= _HOPELESS * span
    if metric.answer is not Answer.CANNOT_TELL:
        smallest = None if hopeless else smallest
        return _exaggerated(metric, tasks, smallest)
    if metric.clusters < FEWEST:
        few = (
            "{tasks} is too few to show any difference; at least {least} are needed."
            if metric.units == 1
            else "{tasks} are too few to show any difference; at least {least} are needed."
        )
        return [say(few, tasks=tasks, least=_fewest(comparison, metric))]
    if smallest is None:
        return [say("{tasks} that differ as these do cannot show any difference.", tasks=tasks)]
    if hopeless:
        few = "{tasks} are few: they can show only the largest difference there can be."
        return _with_plan(say(few, tasks=tasks), metric, None, plan)
    can = "{tasks} can show differences from {smallest}."
    told = say(can, tasks=tasks, smallest=_about(smallest, metric.measure.scale))
    return _with_plan(told, metric, smallest, plan)


def _with_plan(told: str, metric: Metric, smallest: float | None, plan: str) -> list[str]:
    """A page for people who run no commands has them elsewhere: there is no plan then."""
    if not plan:
        return [told]
    command = say(
        "(`{power}` says what smaller ones need.)", power=_power_command(metric, smallest, plan)
    )
    return [say("{first} {second}", first=told, second=command)]


def plan_note(metric: Metric, plan: str) -> list[str]:
    """The command that such a page has among its small print."""
    if metric.answer is not Answer.CANNOT_TELL or metric.clusters < FEWEST:
        return []
    command = _power_command(metric, metric.detectable, plan)
    return [say("How many tasks smaller differences need: `{power}`.", power=command)]


def solved_sentence(comparison: Comparison, name: str) -> list[str]:
    """What each tool has, the better one first."""
    metric = comparison.metrics[name]
    sides = [(metric.a, comparison.a), (metric.b, comparison.b)]
    sides.sort(key=lambda side: -side[0] if metric.measure.more_is_better else side[0])
    if metric.a == metric.b:
        return []
    whole = [value * metric.units for value, _ in sides]
    if metric.measure.passing and all(abs(each - round(each)) < 1e-9 for each in whole):
        first, second = (f"{round(each)}" for each in whole)
        units = _units(comparison, metric)
        a, b = (tool for _, tool in sides)
        solved = "{a} solved {first} of {units}, {b} {second}."
        return [say(solved, a=a, b=b, first=first, second=second, units=units)]
    title = say(metric.measure.title)
    told = [say("{tool} {value}", tool=t, value=shown(v, metric.measure.scale)) for v, t in sides]
    return [say("{measure}: {told}.", measure=title, told=say(", ").join(told))]


def _power_command(metric: Metric, smallest: float | None, plan: str) -> str:
    """Asks for less than what is seen already."""
    is_share = metric.measure.scale.is_share
    if smallest is None or not (is_share or plan == GRADERS_PLAN):
        points = _USUAL
    else:
        points = min(_USUAL, float(f"{(100 if is_share else 1) * smallest / 2:.1g}"))
    return f"polyassay power --difference {points:g} {plan}"


def _exaggerated(metric: Metric, tasks: str, smallest: float | None) -> list[str]:
    """Of small true differences, only those that luck has made large are shown."""
    if smallest is not None and abs(metric.difference) >= smallest:
        return []
    if smallest is None:
        few = "{tasks} are few, so the true difference is probably smaller than the one seen."
        return [say(few, tasks=tasks)]
    return [
        say(
            "{tasks} show only differences from {smallest} reliably, so the true difference is "
            "probably smaller than the one seen.",
            tasks=tasks,
            smallest=_about(smallest, metric.measure.scale),
        )
    ]


def margin_sentence(comparison: Comparison, margin: Margin) -> str:
    """Whether the second tool is worse by more than a team accepts."""
    metric = margin.metric
    scale = metric.measure.scale
    told = {"a": comparison.a, "b": comparison.b, "margin": amount(margin.size, scale, None)}
    match margin.answer:
        case MarginAnswer.NOT_WORSE:
            worst = -margin.worst_case
            at_worst = (
                say("at worst it is {much} behind", much=amount(worst, scale))
                if worst > 0
                else say("even at worst it is {much} ahead", much=amount(-worst, scale))
            )
            sentence = "{b} is not worse than {a} by more than {margin}: {told}."
            return say(sentence, told=at_worst, **told)
        case MarginAnswer.WORSE:
            return say(
                "{b} is worse than {a} by more than {margin}: even at best it is {much} behind.",
                much=amount(-margin.best_case, scale),
                **told,
            )
        case _:
            return say(
                "Cannot tell whether {b} is worse than {a} by more than {margin}: "
                "at worst it is {much} behind.",
                much=amount(-margin.worst_case, scale),
                **told,
            )


def chance_sentence(decision: Decision) -> str:
    """The Bayesian reading: probabilities, and what they take for granted."""
    b, scale = decision.comparison.b, decision.metric.measure.scale
    told = f"{_percent(decision.chance_better())} that {b} is better"
    if decision.margin:
        much = amount(decision.margin.size, scale, None)
        chance = decision.chance_better(decision.margin.size)
        told += f", {_percent(chance)} that it is not worse by more than {much}"
    usual = " (if tools usually differ by about 10 points)" if scale.is_share else ""
    return f"As probabilities{usual}: {told}."


def _percent(chance: float) -> str:
    """Never 0 or 100 %: nothing is that sure."""
    return (
        "under 0.1 %"
        if chance < 0.001
        else "over 99.9 %"
        if chance > 0.999
        else f"{100 * chance:.3g} %"
    )


def levels_note(metrics: Sequence[Metric], sentences: Sequence[str]) -> list[str]:
    """Why languages' ranges, all of one level, are wider than 95 %; where a sentence says it."""
    if not metrics or metrics[0].level == ALPHA:
        return []
    level, count = _confidence(metrics[0]), len(metrics)
    if not any(level in sentence for sentence in sentences):
        return []
    why = "{level}: widened, because {count} languages are told apart at once."
    return [say(why, level=level, count=count)]


def _confidence(metric: Metric) -> str:
    """95 % where nothing else was tested, and more where several answers are to hold together."""
    return say("{number} %", number=f"{100 * (1 - metric.level):.3g}")


def _ends(low: float, high: float, metric: Metric, digits: int | None = 1) -> str:
    low_told, high_told = (number(end, metric.measure.scale, digits) for end in (low, high))
    return say("{low} to {high}", low=low_told, high=high_told)


def _about(difference: float, scale: Scale) -> str:
    """Two digits are all that an estimate deserves, and zero says nothing."""
    value = 100 * difference if scale.is_share else difference
    if scale.is_share:
        return say("about {number} points", number=_significant(value))
    return f"about {_significant(value)} {scale.unit}".rstrip()


def _significant(value: float) -> str:
    places = max(0, 1 - floor(log10(abs(value)))) if value else 0
    return f"{value:,.{places}f}"


def amount(value: float, scale: Scale, digits: int | None = 1) -> str:
    """A difference with its unit: 3.4 points, 0.2 s."""
    told = number(value, scale, digits)
    return (
        say("{number} points", number=told) if scale.is_share else f"{told} {scale.unit}".rstrip()
    )


def shown(value: float, scale: Scale) -> str:
    """A value with its unit: 45.1 %, 0.2 s."""
    if scale.is_share:
        return say("{number} %", number=fixed(100 * value))
    return f"{value:.4g} {scale.unit}".rstrip()


def number(value: float, scale: Scale, digits: int | None = 1) -> str:
    """With a real minus sign and without -0.0; without digits as short as it can be."""
    found = 100 * value if scale.is_share else value
    if digits is None:
        return f"{round(found, 6) + 0.0:g}".replace("-", "−")
    return fixed(found, digits)


def _digits(scale: Scale, difference: float, low: float, high: float) -> int:
    """As many as it takes for a small difference, and for an end close to zero, to show."""
    values = [abs(100 * v if scale.is_share else v) for v in (difference, low, high)]
    smallest = min((value for value in values if value > 0), default=1.0)
    if difference == 0 or max(values) >= 1:
        # An end within rounding of zero must not read as zero where it is not.
        return 1 if smallest >= 0.05 else min(3, -floor(log10(smallest)))
    return min(6, max(1, 1 - floor(log10(smallest))))
