"""What the report says of a run in Chinese: its answer, its notes, its charts and its tables."""

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    # Numbers.
    "{number} %": "{number}%",
    "{low} to {high}": "{low} 至 {high}",
    "{number} points": "{number} 个百分点",
    "about {number} points": "约 {number} 个百分点",
    "{count} task": "{count} 个任务",
    "{count} group": "{count} 组",
    "{count} groups": "{count} 组",
    "{units} in {groups}": "{units}（{groups}）",
    "{count} tasks": "{count} 个任务",
    "{count} prompt": "{count} 个提示",
    "{count} prompts": "{count} 个提示",
    "{count} core": "{count} 个核心",
    "{count} cores": "{count} 个核心",
    "{count} sample": "{count} 个样本",
    "{count} samples": "{count} 个样本",
    "{count} candidate": "{count} 个答案",
    "{count} candidates": "{count} 个答案",
    "{count} answer": "{count} 个答案",
    "{count} answers": "{count} 个答案",
    "{count} pair": "{count} 对",
    "{count} pairs": "{count} 对",
    "{count} run": "{count} 次运行",
    "{count} runs": "{count} 次运行",
    "{count} tool": "{count} 个工具",
    "{count} tools": "{count} 个工具",
    "{count} test": "{count} 个测试",
    "{count} tests": "{count} 个测试",
    "{count} line": "{count} 行",
    "{count} lines": "{count} 行",
    "{count} time": "{count} 次",
    "{count} times": "{count} 次",
    "{names} and {more} more": "{names} 等，另有 {more} 项",
    # The answer.
    "{tool} is better": "{tool} 更好",
    "{tool} is ahead, but answers are missing": "{tool} 领先，但缺少部分答案",
    "Cannot tell which is better": "无法判断哪个更好",
    "cannot tell which is better": "无法判断哪个更好",
    "{language}, {tasks}: {answer}; {evidence}.": "{language}，{tasks}：{answer}；{evidence}。",
    "Missing answers could turn this: get them before you choose.": (
        "缺失的答案可能改变结论：请先补齐再选择。"
    ),
    "Missing answers could turn this: get them before you choose, or compare on the {tasks} that "
    "both answered, with `--answered-only`.": (
        "缺失的答案可能改变结论：请先补齐再选择，"
        "或用 `--answered-only` 只比较双方都作答的 {tasks}。"
    ),
    "Left out: {tasks} that some tool has not answered (`--answered-only`).": (
        "不计入：有工具未作答的 {tasks}（`--answered-only`）。"
    ),
    "Not read: {lines} of {tools} (`--skip-bad`).": (
        "未读取：{tools} 的 {lines}（`--skip-bad`）。"
    ),
    "Left out: {count} of {tasks} that some tool has not answered (`--answered-only`).": (
        "不计入：{tasks}中有工具未作答的 {count} 个（`--answered-only`）。"
    ),
    "solves {much} more": "多解出 {much}",
    "{tool} {says}, but these are too few tasks": "{tool} {says}，但任务太少",
    "{tool} {says} ({confidence}: {ends})": "{tool} {says}（{confidence} 置信区间：{ends}）",
    "{tool} {says} than {lower} ({confidence}: {ends})": (
        "{tool} 比 {lower} {says}（{confidence} 置信区间：{ends}）"
    ),
    "it {says} than {lower} ({confidence}: {ends})": (
        "它比 {lower} {says}（{confidence} 置信区间：{ends}）"
    ),
    "both have {value}; the true difference may be {low} to {high} ({confidence})": (
        "双方都是 {value}；真实差异可能为 {low} 至 {high}（{confidence} 置信区间）"
    ),
    "{level}: widened, because {count} languages are told apart at once.": (
        "{level}：同时分别比较 {count} 种语言，因此区间放宽。"
    ),
    "there is no difference on the only task": "在唯一的任务上没有差异",
    "neither solves any of the {tasks}": "{tasks}双方都未解出",
    "both solve all of the {tasks}": "{tasks}双方全部解出",
    "there is no difference on any of the {tasks}": "在 {tasks}上都没有差异",
    "{sentence}.": "{sentence}。",
    "{tasks} is too few to show any difference; at least {least} are needed.": (
        "{tasks}太少，看不出任何差异；至少需要 {least}。"
    ),
    "{tasks} are too few to show any difference; at least {least} are needed.": (
        "{tasks}太少，看不出任何差异；至少需要 {least}。"
    ),
    "{tasks} that differ as these do cannot show any difference.": (
        "像这样的 {tasks}看不出任何差异。"
    ),
    "{tasks} can show differences from {smallest}.": "{tasks}能看出{smallest}以上的差异。",
    "{tasks} are few: they can show only the largest difference there can be.": (
        "{tasks}较少：只能看出可能的最大差异。"
    ),
    "(`{power}` says what smaller ones need.)": "（更小的差异需要多少任务，见 `{power}`。）",
    "How many tasks smaller differences need: `{power}`.": ("更小的差异需要多少任务：`{power}`。"),
    "{a} solved {first} of {units}, {b} {second}.": (
        "{units}中，{a} 解出 {first}，{b} 解出 {second}。"
    ),
    "{tasks} (of {all} in the suites)": "{tasks}（题集共 {all} 个）",
    "{tool} {value}": "{tool} {value}",
    "{measure}: {told}.": "{measure}：{told}。",
    "{tasks} show only differences from {smallest} reliably, so the true difference is probably "
    "smaller than the one seen.": (
        "{tasks}只能可靠地看出{smallest}以上的差异，因此真实差异很可能小于所见。"
    ),
    "{tasks} are few, so the true difference is probably smaller than the one seen.": (
        "{tasks}较少，因此真实差异很可能小于所见。"
    ),
    "at worst it is {much} behind": "最坏情况下落后 {much}",
    "even at worst it is {much} ahead": "最坏情况下仍领先 {much}",
    "{b} is not worse than {a} by more than {margin}: {told}.": (
        "{b} 不比 {a} 差 {margin}以上：{told}。"
    ),
    "{b} is worse than {a} by more than {margin}: even at best it is {much} behind.": (
        "{b} 比 {a} 差 {margin}以上：最好情况下也落后 {much}。"
    ),
    "Cannot tell whether {b} is worse than {a} by more than {margin}: at worst it is {much} "
    "behind.": ("无法判断 {b} 是否比 {a} 差 {margin}以上：最坏情况下落后 {much}。"),
    "{tool} solves {value} of {tasks}": "{tool} 解出 {tasks}中的 {value}",
    "{measure} of {tool} is {value} on {tasks}": "{tool} 在 {tasks}上的 {measure} 为 {value}",
    "{measure} of {tool} is unknown": "{tool} 的 {measure} 未知",
    "The 95 % interval is {ends} %.": "95% 置信区间为 {ends}%。",
    "The 95 % interval is {ends}.": "95% 置信区间为 {ends}。",
    "Too few values are known to choose among {tools}.": "已知的值太少，不足以在 {tools} 中选择。",
    "{pairs} of tools were tested together on {tasks}.": "在 {tasks}上同时检验了 {pairs}工具。",
    "{tool} is the best of {count}": "{tool} 是 {count} 个工具中最好的",
    "{tools} may each be the best.": "{tools} 都可能是最好的。",
    "{worse} of {count} can be ruled out.": "{count} 个中有 {worse} 个可以排除。",
    ", ": "、",
    # What to do.
    "Choose {tool}, unless its price or its speed speaks against it.": (
        "除非价格或速度不合适，否则选 {tool}。"
    ),
    "Choose among {tools} on price or speed: a difference of {points} points would have shown.": (
        "请在 {tools} 中按价格或速度选择：若有 {points} 个百分点的差异，应已显现。"
    ),
    "Too few tasks were run to choose among {tools}: one may be {much} better than another. "
    "Add tasks to tell them apart.": (
        "任务太少，不足以在 {tools} 中选择：其中一个可能比另一个好 {much}。请增加任务以区分它们。"
    ),
    "Any one set of assertions is enough; of the others passed {counts}.": (
        "满足任意一组断言即可；其余各组通过情况：{counts}。"
    ),
    "{number} tokens read": "读入 {number} 个 token",
    "{number} tokens written": "写出 {number} 个 token",
    "answered in {number} s": "用时 {number} 秒",
    "cost {number}": "费用 {number}",
    "Likely {tool}; {reason}": "很可能是 {tool}；{reason}",
    "{rest} of {all} tasks of these suites were not answered by both: get those answers before "
    "you decide.": ("这些题集的 {all} 个任务中有 {rest} 个没有双方的答案：请先补齐再决定。"),
    "it may be ahead by {low} points or by {high}: add tasks.": (
        "它可能领先 {low} 个百分点，也可能领先 {high} 个：请增加任务。"
    ),
    "by {measure} {tool} is better.": "按 {measure}，{tool} 更好。",
    "by {measure} it cannot be told.": "按 {measure} 无法判断。",
    "With {samples} samples a task about {tasks} tasks show {points} points.": (
        "若每个任务 {samples} 个样本，约 {tasks} 个任务即可看出 {points} 个百分点。"
    ),
    "For {language} choose {tool}.": "{language} 请选 {tool}。",
    "For {languages} alone it cannot be told.": "仅就 {languages} 而言无法判断。",
    "Choose on price or speed: a difference of {points} points would have shown.": (
        "请按价格或速度选择：若有 {points} 个百分点的差异，应已显现。"
    ),
    "Too few tasks were run to choose by: {b} may be {ahead} points better, or {a} {behind}.": (
        "任务太少，不足以据此选择：{b} 可能好 {ahead} 个百分点，{a} 也可能好 {behind} 个百分点。"
    ),
    "Too few tasks were run to choose by: {b} may be {ahead} better, or {a} {behind}.": (
        "任务太少，不足以据此选择：{b} 可能好 {ahead}，{a} 也可能好 {behind}。"
    ),
    "To show a difference of {points} points takes about {tasks} tasks like these": (
        "要看出 {points} 个百分点的差异，约需 {tasks} 个类似的任务"
    ),
    "one of {points} points about {tasks}": "{points} 个百分点则约需 {tasks} 个",
    "{samples} a task": "每个任务 {samples}",
    "{least} to {most} samples a task": "每个任务 {least} 至 {most} 个样本",
    "eval tests {value}": "抽取测试 {value}",
    "timeout {value}": "时限 {value} 秒",
    "the first {limit} of {tasks} tasks": "前 {limit} 个任务，共 {tasks} 个",
    "{suites} · run {run}": "{suites} · 运行 {run}",
    # Charts.
    "← {tool} better": "← {tool} 更好",
    "{tool} better →": "{tool} 更好 →",
    "{b} minus {a}: {difference} points, {ends}": "{b} 减 {a}：{difference} 个百分点，{ends}",
    "{tool} worse by more than {points} points": "{tool} 差 {points} 个百分点以上",
    "{tool}: rank {rank} of {count}": "{tool}：第 {rank} 名，共 {count} 个",
    "Ranks that each tool may have": "各工具可能的排名",
    "{tool}: {prompts} with {share} % of the tests passed": (
        "{tool}：{prompts}通过了 {share}% 的测试"
    ),
    "% of the tests that pass": "通过的测试比例（%）",
    "Prompts by pass ratio": "按通过率分布的提示",
    "{prompts}: {a} {a_share}, {b} {b_share}": "{prompts}：{a} {a_share}，{b} {b_share}",
    "about {share}": "约 {share}",
    "{tool}, % of tests": "{tool}，测试比例（%）",
    "{a} against {b}": "{a} 与 {b}",
    "{outcome}: {count} of {total} ({share})": "{outcome}：{count} / {total}（{share}）",
    "{prompts} of {tasks}": "{tasks}的 {prompts}",
    "Counted are {prompts} of {tasks}, because some were asked in several prompt languages; "
    "chance is drawn by task.": (
        "计数对象为 {tasks}的 {prompts}，因为部分任务以多种提示语言提问；随机性按任务计算。"
    ),
    "{tool}: {count} ({share}), {kind}": "{tool}：{count}（{share}），{kind}",
    "Why candidates failed": "失败原因",
    # Outcomes and failures.
    "passed": "通过",
    "failed": "失败",
    "unbuilt": "未能构建",
    "timed out": "超时",
    "out of memory": "内存不足",
    "crashed": "崩溃",
    "not runnable": "无法运行",
    "harness error": "评测系统错误",
    "no answer": "没有答案",
    "empty answer": "空答案",
    "not extracted": "未能提取代码",
    "does not compile: syntax": "无法编译：语法",
    "does not compile: missing symbol": "无法编译：缺少符号",
    "does not compile: type": "无法编译：类型",
    "does not compile: other": "无法编译：其他",
    "wrong signature": "签名错误",
    "library not used": "未使用指定的库",
    "wrong API or undefined name": "API 错误或名称未定义",
    "undefined name": "名称未定义",
    "undefined API": "API 未定义",
    "wrong schema": "结构错误",
    "no output": "没有输出",
    "too much output": "输出过多",
    "partly right": "部分正确",
    "exception": "异常",
    "wrong value": "值错误",
    "timeout": "超时",
    "memory": "内存不足",
    "crash": "崩溃",
    # Notes.
    "* told apart: {pairs} tested together (Holm), so that any false answer among them has a "
    "chance of at most 5 %. Ranks follow from these answers.": (
        "* 可以区分：{pairs}同时检验（Holm），其中出现任何错误结论的概率不超过 5%。"
        "排名由这些结论得出。"
    ),
    "Compared on {tasks} that all of them have, of {asked}.": (
        "在所有工具都有的 {tasks}上比较，共 {asked} 个。"
    ),
    "All of it was judged apart.": "全部为隔离评判。",
    "Judged together, so not proof against forgery: {share} of each tool’s answers.": (
        "合并评判、因而不能防止伪造：每个工具的答案中占 {share}。"
    ),
    "Judged together, so not proof against forgery: {told} of the answers.": (
        "合并评判、因而不能防止伪造的答案所占比例：{told}。"
    ),
    "Not complete: {judged} of {candidates} judged; go on with `polyassay run --resume {run}`.": (
        "未完成：{candidates}中已评判 {judged} 个；用 `polyassay run --resume {run}` 继续。"
    ),
    "Without an answer, counted as failed: {told}.": "没有答案，计为失败：{told}。",
    "Not the same protocol: {told}.": "所用规程不同：{told}。",
    "{tool} had {count} tries, with the tests' output": "{tool} 有 {count} 次尝试（附测试输出）",
    "{tool} had one try": "{tool} 只有一次尝试",
    "Not asked the same, so do not compare these rows: {told}.": (
        "所问任务不同，请勿比较这些行：{told}。"
    ),
    "{tool} {tasks} in {languages}": "{tool} {tasks}（{languages}）",
    "Imported: its verdicts were not judged here.": "导入的运行：其判定并非在此处做出。",
    "{candidates} shared a JVM with others of the same tool, one after the other (`--reuse 1` "
    "keeps them apart).": (
        "{candidates}先后与同一工具的其他答案共用了一个 JVM（`--reuse 1` 可使其分开）。"
    ),
    "Not counted, because no suite of the run has such a task: of {tools} {names}.": (
        "未计入，因为本次运行的题集中没有这些任务：{tools} 的 {names}。"
    ),
    "{id} (probably {task})": "{id}（可能是 {task}）",
    "No verdict was luck: shaken {times}, none changed.": (
        "没有侥幸的判定：扰动 {times}，均无变化。"
    ),
    "Lucky, because other hash seeds, addresses or orders of tests change the verdict (shaken "
    "{times}): {answers} ({named}).": (
        "侥幸：改变哈希种子、地址或测试顺序会改变判定（扰动 {times}）：{answers}（{named}）。"
    ),
    "Assertion sets that {tool} met: {told}{more}; {mean} different ones a solved task.": (
        "{tool} 满足的断言集：{told}{more}；每个解出的任务平均 {mean} 种。"
    ),
    " and {count} more kinds": " 等，另有 {count} 种",
    "Weak tests (an empty answer passes): {tasks}": "薄弱测试（空答案即可通过）：{tasks}",
    "Weak tests (most mutants of the reference pass): {tasks}": (
        "薄弱测试（参考答案的多数变异体可通过）：{tasks}"
    ),
    "Flaky: {tasks}": "不稳定：{tasks}",
    "The reference itself fails: {tasks}": "参考答案本身失败：{tasks}",
    "; ": "；",
    "{tasks} not runnable here": "{tasks}在此无法运行",
    "{tasks} with harness errors ({whose})": "{tasks}出现评测系统错误（{whose}）",
    "Left out for all tools: {told}.": "对所有工具都不计入：{told}。",
    "Left out: {told}.": "不计入：{told}。",
    "Known of a part of the tasks only: {told}.": "仅部分任务已知：{told}。",
    "{measure} of {tool} {known} of {tasks}": "{tool} 的 {measure} {known}/{tasks}",
    "{tool}: {measure} against how many tasks use the rarest library of a task: Spearman {rho} "
    "over {tasks} (p = {p}).": (
        "{tool}：{measure} 与任务中最少见的库的使用次数的 Spearman 相关为 {rho}，{tasks}"
        "（p = {p}）。"
    ),
    # The summary.
    "Tasks solved by both: {both}; only by {a}: {only_a}; only by {b}: {only_b}; by neither: "
    "{neither}.": "双方都解出：{both}；仅 {a}：{only_a}；仅 {b}：{only_b}；都未解出：{neither}。",
}
