"""Provenance, trust cards and people's grades in Chinese."""

from collections.abc import Mapping

TRUST: Mapping[str, str] = {
    # Provenance.
    "started": "开始时间",
    "suite {name}": "题集 {name}",
    "engine": "引擎",
    "judging": "评判方式",
    "sandbox": "沙箱",
    "reuse": "进程复用",
    "revision": "版本",
    "machine": "机器",
    "{time} UTC": "{time} UTC",
    # A suite's trust card.
    "references": "参考答案",
    "empty answers": "空答案",
    "flaky tests": "不稳定的测试",
    "weak tasks": "薄弱任务",
    "prompts with tests": "含测试的提示",
    "licence": "许可证",
    "runs in the store": "已存的运行",
    "  failed by none": "从未失败",
    "  failed by all": "全部失败",
    "  same for all tools": "区分不了任何工具",
    "  passed, graded low": "通过但人工评分最低",
    "not measured here": "此处未测量",
    "{names}: this says nothing against the tests, and `{command}` measures it": (
        "{names}：这并不说明测试不好，可用 `{command}` 测量"
    ),
    "{passed} of {all} pass": "{all} 个中通过 {passed} 个",
    "{told}; {tasks} without one": "{told}；{tasks}没有",
    "{count} task passes with one": "{count} 个任务可通过",
    "{count} tasks pass with one": "{count} 个任务可通过",
    "{part} of {tasks}": "{tasks}中的 {part} 个",
    "{part} of {all}": "{all} 个中的 {part} 个",
    "{count}: {names}": "{count}：{names}",
    "unknown": "未知",
    "none": "无",
    "{runs}, {answers} of {tools}": "{runs}，{tools}的 {answers}",
    "{flaky} of {tests} in {repeats} repetitions": "{tests} 个中 {flaky} 个，重复 {repeats} 次",
    "{flaky} of {tests} in {repeats} repetitions under load": (
        "{tests} 个中 {flaky} 个，在负载下重复 {repeats} 次"
    ),
    "{task} {test} passed {passed} of {all}": "{task} {test} 通过 {passed}/{all}",
    "all of them": "全部",
    "{count} a task": "每个任务 {count} 个",
    "{caught} of {of} caught, {share} (95 %: {low} to {high}), {each}, seed {seed}": (
        "发现 {caught}/{of}，{share}（95% 置信区间：{low} 至 {high}），{each}，种子 {seed}"
    ),
    # What people graded.
    "preferred": "被偏好",
    "strength": "强度",
    "scores": "评分数",
    "Rubric {name}: means over answers.": "评分标准 {name}：各答案的平均值。",
}
