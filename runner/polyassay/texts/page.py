"""The fixed words of the report's pages in Chinese."""

from collections.abc import Mapping

PAGE: Mapping[str, str] = {
    # The head of every page.
    "Skip to content": "跳到正文",
    "Settings and cost": "设置与成本",
    "Switch between light and dark": "切换浅色与深色",
    "All runs": "所有运行",
    "Runs": "运行",
    "Candidates judged": "已评判的答案",
    "{judged} of {all} judged": "已评判 {judged} 个，共 {all} 个",
    "Points of {measure} by which {b} is ahead of {a}, with its 95 % interval.": (
        "{b} 的 {measure} 比 {a} 高出的百分点，及其 95% 置信区间。"
    ),
    "Shaded: worse by more than the margin.": "阴影部分：差距超过允许范围。",
    "Copy summary as Markdown": "复制 Markdown 摘要",
    "Copied.": "已复制。",
    "Select and copy.": "请选中并复制。",
    "Summary as Markdown": "Markdown 摘要",
    # Scores.
    "Scores": "得分",
    "With 95 % intervals.": "附 95% 置信区间。",
    "{first} {second}": "{first}{second}",  # two sentences
    "{measure}: {means}.": "{measure}：{means}。",
    "the share of prompts that a sample solves": "单个样本能解出的提示比例",
    "the share of prompts that at least one of {needs} samples solves": (
        "{needs} 个样本中至少一个能解出的提示比例"
    ),
    "the share of prompts that all of {needs} samples solve": "{needs} 个样本全部能解出的提示比例",
    "the mean share of tests that pass": "通过的测试比例的平均值",
    "the share of cells with the right output": "输出正确的单元格比例",
    "the share of cells that run to their end": "能运行完毕的单元格比例",
    "tool": "工具",
    "solved": "解出",
    "solved by any": "任一样本解出",
    "What the comparison of all pairs leaves open: with 95 % confidence every tool’s rank lies in "
    "its range.": "所有两两比较之后仍可能的排名：以 95% 的置信度，每个工具的排名都在其范围内。",
    "best rank": "最好排名",
    "worst rank": "最差排名",
    "Every tool against every other": "两两比较",
    "Points by which the tool of the line is ahead of the tool of the column.": (
        "该行的工具比该列的工具高出的百分点。"
    ),
    "rank": "排名",
    "Quality against cost": "质量与成本",
    "{measure} and the mean cost of an answer, with 95 % intervals. Further up is better, further "
    "left is cheaper.": (
        "{measure} 与每个答案的平均成本，附 95% 置信区间。越靠上越好，越靠左越便宜。"
    ),
    "{measure} against cost": "{measure} 与成本",
    "cost of an answer": "每个答案的成本",
    "cost": "成本",
    "cost per solved task": "每个解出任务的成本",
    "tokens": "token",
    "seconds": "秒数",
    "s": "秒",
    "Cost unknown: {tools}.": "成本未知：{tools}。",
    # Head to head.
    "Head to head": "正面比较",
    "The two tools that score highest.": "此处为得分最高的两个工具。",
    "Prompts of which at least one sample of a tool passes all tests. A count opens them.": (
        "各工具至少有一个样本通过全部测试的提示。点击数字可查看。"
    ),
    "{tool} solves": "{tool} 解出",
    "{tool} does not": "{tool} 未解出",
    "both": "都解出",
    "only {tool}": "仅 {tool}",
    "neither": "都未解出",
    "solved by": "解出者",
    "tasks": "任务",
    "By share of tests": "按通过的测试比例",
    "Here a prompt counts for the tool more of whose tests pass, on average over its samples, so "
    "that the counts differ from those of solved prompts.": (
        "此处按样本平均通过的测试比例计入较高的工具，因此数字与解出的提示数不同。"
    ),
    "One dot a pair of pass ratios, larger for more prompts. Above the line {b} does better, below "
    "it {a}. A dot opens them.": (
        "每个点代表一对通过率，提示越多点越大。线上方 {b} 更好，线下方 {a} 更好。"
        "点击圆点可查看相应提示。"
    ),
    "{tool} better: {count}": "{tool} 更好：{count}",
    "the same: {count}": "相同：{count}",
    "Pass ratios": "通过率",
    "Prompts by the share of tests that passed.": "各通过率区间内的提示数。",
    # Outcomes.
    "Outcomes": "结果",
    "Why candidates failed": "失败原因",
    "Share of each tool’s answers, missing ones included.": "占各工具全部答案（含缺失）的比例。",
    "Of all answers that were asked for; one that is missing counts as failed.": (
        "占所要求的全部答案；缺失的答案计为失败。"
    ),
    "pass@1 is another share than passed: there every task weighs the same, however many samples "
    "it has.": "pass@1 与“通过”的比例不同：前者每个任务权重相同，与样本数无关。",
    "The same as a table": "以表格显示",
    "Details": "详情",
    # Groups.
    "By {kinds}": "按{kinds}",
    "{measure} with 95 % intervals.": "{measure}，附 95% 置信区间。",
    "Differences are paired by task, and a task without an answer counts as failed; p and the "
    "ranges of differences take into account that several groups are tested (Bonferroni).": (
        "差异按任务配对，没有答案的任务计为失败；p 值和差异的区间已按多组检验校正（Bonferroni）。"
    ),
    "p (Bonferroni)": "p（Bonferroni）",
    "too few tasks": "任务太少",
    "group": "分组",
    "by": "分类",
    "answer": "结论",
    "difference": "差异",
    "language": "编程语言",
    "prompt language": "提示语言",
    "domain": "领域",
    "suite": "题集",
    "better": "更好",
    "worse": "更差",
    "cannot tell": "无法判断",
    "": "",
    "Gaps between groups, within each tool": "同一工具在各分组之间的差距",
    "first": "第一组",
    "second": "第二组",
    "{measure} of second": "第二组的 {measure}",
    "gap": "差距",
    "{tasks}, the same": "{tasks}，相同任务",
    "{first} and {second} others": "{first} 与 {second}，不同任务",
    # History.
    "History": "历史",
    "{measure} with 95 % intervals in all runs of the same suite that were judged in the same way; "
    "this run’s name is bold.": (
        "同一题集、以相同方式评判的所有运行的 {measure}，附 95% 置信区间；本次运行以粗体显示。"
    ),
    "{measure} on {suite} over {runs}": "{suite} 的 {measure}，共 {runs} 次运行",
    "run": "运行",
    "date": "日期",
    "Not shown, because they were judged on another version or in another way: {runs}.": (
        "因题集版本或评判方式不同而未显示：{runs}。"
    ),
    "Not shown, because they are older, not complete or asked other tasks: {runs}.": (
        "因较旧、未完成或任务不同而未显示：{runs}。"
    ),
    "Graded by people": "人工评分",
    "What answers’ texts say": "答案文本的度量",
    "BLEU, CodeBLEU, complexity, findings, and what such figures are worth": (
        "BLEU、CodeBLEU、复杂度、静态检查结果，以及这些数字有多大意义"
    ),
    # Tasks.
    "Tasks": "任务",
    "Which tool solves which tasks": "哪个工具解出哪些任务",
    "Darker: more of the samples solve it. Tasks from the easiest to the hardest; a field opens "
    "its tasks, arrow keys move between fields.": (
        "颜色越强表示解出的样本越多。任务由易到难排列；点击方格可查看相应任务，方向键可在方格间移动。"
    ),
    "Darker: more of the samples solve them. Tasks from the easiest to the hardest, several in a "
    "column; a field opens its tasks, arrow keys move between fields.": (
        "颜色越强表示解出的样本越多。任务由易到难排列，每列含若干任务；点击方格可查看相应任务，"
        "方向键可在方格间移动。"
    ),
    "Search": "搜索",
    "task or prompt ( / )": "任务或提示（ / ）",
    "Show": "显示",
    "Suite": "题集",
    "Prompt": "提示语言",
    "Outcome": "结果",
    "Clear": "清除",
    "Show more": "显示更多",
    "CSV of the tasks that are chosen": "所选任务的 CSV",
    "This list needs JavaScript; the pages themselves are in the folder": (
        "此列表需要 JavaScript；各任务页面位于文件夹"
    ),
    ".": "。",
    # The small print.
    "How far the tests can be trusted": "测试的可信程度",
    "Small print": "附注",
    "What these words mean": "词语解释",
    "How it was run": "运行方式",
    # A task's page.
    "{passed}/{total} tests": "通过 {passed}/{total} 个测试",
    "{seconds} s": "{seconds} 秒",
    "Answers are not shown in this report.": "本报告不显示答案。",
    "The answer holds no code.": "答案中没有代码。",
    "The answer is empty; what was judged is the least that compiles.": (
        "答案为空；评判的是能通过编译的最小代码。"
    ),
    # What was made of an answer.
    # Prompt languages.
    "English": "英语",
    "Chinese": "中文",
    "Japanese": "日语",
    "Spanish": "西班牙语",
    "Russian": "俄语",
    "The whole program": "完整程序",
    "expected": "期望",
    "found": "实际",
    "(empty)": "（空）",
    "source of {test}": "{test} 的源代码",
    "What it printed": "程序输出",
    "The prompt as it was sent": "实际发送的提示",
    "previous": "上一个",
    "next": "下一个",
    "Code that the answer continues": "答案所续写的代码",
    "samples of {tool}": "{tool} 的样本",
    "No answer: counted as failed.": "没有答案：计为失败。",
    "There is an answer to “{id}”, which no suite of the run has as a task.": (
        "有一个答案属于“{id}”，而本次运行的题集中没有这个任务。"
    ),
    "Difference: {title}": "差异：{title}",
    "reference": "参考答案",
    "libraries": "库",
    "tags": "标签",
    "needs": "需要",
    "the network": "网络",
    "not run": "未运行",
    "error": "错误",
    "missing": "缺失",
    "skipped": "已跳过",
    # Words that are explained.
    "judged apart": "隔离评判",
    "judged together": "合并评判",
    "lucky": "侥幸",
    "weak": "薄弱",
    "mutants": "变异体",
    "flaky": "不稳定",
    "canary": "金丝雀标记",
    "The tests ran out of the answer’s reach, so it cannot have forged its result.": (
        "测试在答案无法触及的地方运行，因此答案不可能伪造结果。"
    ),
    "Tests and answer shared one sandboxed process, because what the tests need (mocks, streams, "
    "callbacks) cannot leave it. An answer made for that could forge its result.": (
        "测试与答案在同一个沙箱进程中运行，因为测试所需的内容（模拟对象、流、回调）无法离开该进程。"
        "专门为此编写的答案可能伪造结果。"
    ),
    "The verdict is another one under another hash seed, other addresses or another order of the "
    "tests.": "换一个哈希种子、地址或测试顺序，判定就会不同。",
    "An answer without content passes the tests, or most of the small errors that were put into "
    "the reference do. To pass them says little.": (
        "空答案即可通过测试，或放入参考答案的小错误大多能通过。通过这些测试说明不了什么。"
    ),
    "Copies of the reference with one small error each. Good tests fail most of them.": (
        "各含一个小错误的参考答案副本。好的测试应使其中大多数失败。"
    ),
    "The same answer sometimes passes the test and sometimes does not.": (
        "同一个答案有时通过测试，有时不通过。"
    ),
    "The answer is no program that can run: it does not compile, holds no code, or lacks what the "
    "task asks for.": "答案不是可运行的程序：无法编译、没有代码，或缺少任务要求的内容。",
    "As the suite’s publisher divides its tasks: closed ones need the language alone, open ones "
    "its libraries, too.": "题集发布者对任务的划分：closed 只需语言本身，open 还需要库。",
    "A text that marks a suite, so that it can be found in what a model was trained on.": (
        "用来标记题集的文本，以便在模型的训练数据中找到它。"
    ),
}

# What the pages' scripts say.
SCRIPTS: Mapping[str, str] = {
    "task": "任务",
    "id": "编号",
    "suite": "题集",
    "prompt": "提示语言",
    "difference in tests": "测试差异",
    "all": "全部",
    "all tasks": "全部任务",
    "tasks that differ": "有差异的任务",
    "{a} and {b} solve": "{a} 和 {b} 都解出",
    "only {tool} solves": "仅 {tool} 解出",
    "neither {a} nor {b} solves": "{a} 和 {b} 都未解出",
    "all solve": "全部工具解出",
    "none solves": "没有工具解出",
    "solved": "解出",
    "not solved": "未解出",
    " at the chosen dot: {where}": "，位于所选圆点：{where}",
    "{tool} about {share} %": "{tool} 约 {share}%",
    ", ": "，",
    "{count} tasks": "{count} 个任务",
    "{count} prompts": "{count} 个提示",
    "{count} of {all} prompts": "{count} 个提示，共 {all} 个",
    "{count} of {all} prompts; a search reads all": "{all} 个提示中的 {count} 个；搜索时读取全部",
    "{count} of {all} tasks": "{count} 个任务，共 {all} 个",
    "no answer": "没有答案",
    "{count} of {all} tasks; a search reads all": "{all} 个任务中的 {count} 个；搜索时读取全部",
    "Reading all tasks…": "正在读取全部任务…",
    "The files of the other tasks are missing.": "缺少其余任务的文件。",
    "previous": "上一个",
    "next": "下一个",
    "{here} of {all} chosen tasks": "所选任务第 {here} 个，共 {all} 个",
    "Copied.": "已复制。",
    "Select and copy.": "请选中并复制。",
    "Summary as Markdown": "Markdown 摘要",
}
