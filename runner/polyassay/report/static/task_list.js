/* The list of tasks on the first page, and the way through them on tasks' pages; selection.js chooses. */
"use strict";

(() => {
  const { byId, make, say, markSorted, chosenText, Choice, Selection } = window.POLYASSAY_LIST;
  const PAGE = 100; // rows drawn at a time, so that thousands of tasks never block the page

  // Of a report in a single file, tasks are templates, and the address says which one is shown.
  const single = () => document.querySelector("template[data-page]") !== null;

  function addressOf(row, choice, folder) {
    const language = encodeURIComponent(row.promptLanguage);
    return single() ? `#task=${row.page}&in=${language}&${choice}` : `${folder}${row.page}.html?${choice}#${language}`;
  }

  /** Adds all rows to the data: of many tasks only the first come with the page. Scripts, as fetch() needs a server. */
  function allRows(data) {
    if (!data.parts) return Promise.resolve();
    const first = document.querySelector('script[src$="tasks.js"]').src;
    const load = (number) => new Promise((resolve, reject) => {
      const script = make("script");
      script.src = new URL(`tasks-${number}.js`, first).href;
      script.addEventListener("load", () => resolve(window[`POLYASSAY_PART_${number}`]));
      script.addEventListener("error", () => reject(new Error(script.src)));
      document.head.append(script);
    });
    data.loading ??= Promise.all(Array.from({ length: data.parts }, (_, i) => load(i + 1))).then((parts) => {
      data.rows = parts.flat();
      data.parts = 0;
    });
    return data.loading;
  }

  const FIELDS = { q: "search", show: "show", suite: "suite", prompt: "prompt-language", outcome: "outcome" };

  /** The table on the first page. */
  class TaskList {
    constructor(data) {
      this.data = data;
      this.selection = new Selection(data);
      this.choice = new Choice(data, chosenText());
      this.drawHead();
      this.drawFilters();
      this.listen();
      if (data.parts && !chosenText()) this.showFirst();
      else this.update();
      if (chosenText()) byId("filters").scrollIntoView();
    }

    drawHead() {
      const head = byId("task-list").tHead.insertRow();
      const columns = [["prompt", say("task")], ["task", say("id")]];
      if (this.data.suites.length > 1) columns.push(["suite", say("suite")]);
      columns.push(["promptLanguage", say("prompt")]);
      this.data.tools.forEach((tool, i) => columns.push([String(i), tool]));
      if (this.data.pair) columns.push(["difference", this.differenceName()]);
      for (const [column, label] of columns) {
        const header = make("th", undefined, column === "difference" ? "number" : `c-${column}`);
        header.scope = "col";
        const button = make("button", label);
        button.type = "button";
        header.append(button);
        button.addEventListener("click", () => {
          const order = this.choice.get("order");
          const falls = order === column || (order !== `-${column}` && /^\d+$/.test(column));
          this.choice.set({ order: falls ? `-${column}` : column });
          markSorted(header, falls);
          this.update();
        });
        head.append(header);
      }
      this.columns = columns.map(([column]) => column);
    }

    /** Of more than two tools, the column must say which two it compares. */
    differenceName() {
      const [a, b] = this.data.pair.map((i) => this.data.tools[i]);
      return this.data.tools.length > 2 ? `${b} − ${a}` : say("difference in tests");
    }

    drawFilters() {
      const tools = this.data.tools;
      const shows = [["all", say("all tasks")]];
      if (this.data.pair) {
        const [a, b] = this.data.pair.map((i) => tools[i]);
        shows.push(["differ", say("tasks that differ")], ["both", say("{a} and {b} solve", { a, b })], ["a", say("only {tool} solves", { tool: a })], ["b", say("only {tool} solves", { tool: b })], ["neither", say("neither {a} nor {b} solves", { a, b })]);
      }
      shows.push(["every", say(tools.length > 1 ? "all solve" : "solved")], ["none", say(tools.length > 1 ? "none solves" : "not solved")]);
      this.fill("show", shows);
      this.fill("suite", [["", say("all")], ...this.data.suites.map((name) => [name, name])]);
      this.fill("prompt-language", [["", say("all")], ...this.data.prompts.map((name) => [name, name])]);
      this.fill("outcome", [["", say("all")], ...this.data.used.map((i) => [this.data.outcomes[i], say(this.data.outcomes[i])])]);
    }

    fill(id, options) {
      const select = byId(id);
      for (const [value, label] of options) {
        const option = make("option", label);
        option.value = value;
        select.append(option);
      }
      select.parentElement.hidden = options.length <= 2 && id !== "show";
    }

    listen() {
      const filters = byId("filters");
      filters.addEventListener("submit", (event) => event.preventDefault());
      filters.addEventListener("input", () => {
        const values = Object.entries(FIELDS).map(([name, id]) => [name, byId(id).value]);
        this.choice.set({ ...Object.fromEntries(values), dot: "", column: "" });
        this.update();
      });
      byId("clear").addEventListener("click", () => this.open({ show: "all" }, false));
      byId("more").addEventListener("click", () => this.update(this.drawn + PAGE));
      byId("tasks-csv").addEventListener("click", (event) => {
        if (this.data.parts) { // a link cannot wait: it is followed again once all tasks are there
          event.preventDefault();
          const link = event.currentTarget;
          this.update(PAGE, () => link.click());
          return;
        }
        event.currentTarget.href = URL.createObjectURL(new Blob([this.csv()], { type: "text/csv" }));
      });
      byId("heat")?.addEventListener("keydown", moveInTable);
      for (const link of document.querySelectorAll("[data-dot], [data-show], [data-column]")) {
        link.addEventListener("click", (event) => {
          event.preventDefault();
          const { show = "all", dot = "", column = "" } = link.dataset;
          this.open({ show, dot, column }, true);
        });
      }
    }

    choose(text) {
      this.choice = new Choice(this.data, text);
      this.update();
    }

    /** Chooses this and nothing else. */
    open(values, goThere) {
      this.choice.set({ q: "", suite: "", prompt: "", outcome: "", dot: "", column: "", ...values });
      this.update();
      if (!goThere) return;
      byId("filters").scrollIntoView();
      byId("tasks").focus({ preventScroll: true });
    }

    /** Tasks that were asked in several prompt languages have several lines. */
    noun(sentence) {
      return this.data.distinct === this.data.total ? sentence : sentence.replace("tasks", "prompts");
    }

    /** What came with the page, before anybody has chosen anything. */
    showFirst() {
      this.found = this.selection.of(this.choice);
      byId("show").value = this.choice.get("show");
      byId("found").textContent = say(this.noun("{count} of {all} tasks; a search reads all"), { count: this.found.length, all: this.data.total });
      this.draw(PAGE);
      byId("more").hidden = false;
    }

    update(drawn = PAGE, then = () => {}) {
      if (!this.data.parts) {
        this.show(drawn);
        then();
        return;
      }
      byId("found").textContent = say("Reading all tasks…");
      allRows(this.data).then(() => {
        this.selection = new Selection(this.data);
        this.show(drawn);
        then();
      }, () => { byId("found").textContent = say("The files of the other tasks are missing."); });
    }

    show(drawn) {
      for (const [name, id] of Object.entries(FIELDS)) {
        if (byId(id).value !== this.choice.get(name)) byId(id).value = this.choice.get(name);
      }
      this.found = this.selection.of(this.choice);
      const all = this.selection.rows.length;
      const dot = this.choice.get("dot").split(",");
      const where = dot.length === 2 ? say(" at the chosen dot: {where}", { where: this.data.pair.map((tool, i) => say("{tool} about {share} %", { tool: this.data.tools[tool], share: Math.round(100 * dot[i]) })).join(say(", ")) }) : "";
      const count = this.found.length;
      byId("found").textContent = say(this.noun(count === all ? "{count} tasks" : "{count} of {all} tasks"), { count, all }) + where;
      const chosen = this.choice.toString();
      if (chosen || chosenText()) history.replaceState(null, "", `#${chosen || "tasks"}`);
      this.draw(drawn);
    }

    draw(count) {
      const rows = document.createDocumentFragment();
      for (const row of this.found.slice(0, count)) rows.append(this.line(row));
      byId("task-list").tBodies[0].replaceChildren(rows);
      this.drawn = count;
      byId("more").hidden = this.found.length <= count;
    }

    /** What is chosen, one line a task: of each tool the tests that its first sample passes, and the samples that solve. */
    csv() {
      const quoted = (value) => {
        const text = /^[=+\-@\t\r]/.test(value) && typeof value === "string" ? `'${value}` : String(value);
        return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      };
      const fields = ["outcome", "passed", "total", "solving", "samples"];
      const head = ["suite", "task", "language", "prompt_language", ...this.data.tools.flatMap((tool) => fields.map((field) => `${tool} ${field}`))];
      const of = (result) => (result ? [this.data.outcomes[result[0]], ...result.slice(2)] : ["no answer", 0, "", 0, 0]);
      const lines = this.found.map((row) => [row.suite, row.task, row.language, row.promptLanguage, ...row.results.flatMap(of)]);
      return [head, ...lines].map((line) => line.map(quoted).join(",")).join("\n") + "\n";
    }

    line(row) {
      const line = make("tr");
      for (const column of this.columns) {
        if (column === "prompt") {
          const head = make("th", undefined, "c-prompt");
          head.scope = "row";
          const link = make(row.page === null ? "span" : "a", row.prompt || row.task);
          if (row.page !== null) link.href = addressOf(row, this.choice, "tasks/");
          head.append(link);
          line.append(head);
        } else if (column === "difference") {
          const points = Math.round(100 * this.selection.difference(row));
          line.append(make("td", points ? `${points > 0 ? "+" : "−"}${Math.abs(points)}` : "0", "number"));
        } else if (/^\d+$/.test(column)) line.append(this.result(row.results[column]));
        else line.append(make("td", row[column], `c-${column}`));
      }
      return line;
    }

    result(result) {
      if (!result) return make("td", say("no answer"), "bad");
      const [outcome, , passed, total, solving, samples] = result;
      const name = this.data.outcomes[outcome];
      if (samples === 1) return make("td", name === "passed" ? `✓ ${passed}/${total}` : `✗ ${passed}/${total} ${say(name)}`, name === "passed" ? "good" : "bad");
      const cell = make("td", undefined, solving ? "good" : "bad");
      if (samples <= 10) {
        const pips = make("span", "●".repeat(solving) + "○".repeat(samples - solving), "pips");
        pips.setAttribute("aria-hidden", "true");
        cell.append(pips, " ");
      }
      cell.append(make("span", `${solving}/${samples}`));
      return cell;
    }
  }

  /** Arrow keys go from field to field, so that Tab passes all of them in one step. */
  function moveInTable(event) {
    const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [];
    const cell = event.target.closest("td");
    if (down === undefined || !cell) return;
    const rows = cell.closest("tbody").rows;
    const next = rows[cell.parentElement.sectionRowIndex + down]?.cells[cell.cellIndex + right]?.querySelector("a");
    if (!next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** On a task's page: the next and the previous task of what was chosen on the first page. */
  function followChoice(data, choice, language) {
    const pager = document.querySelector(".pager");
    const rows = new Selection(data).of(choice).filter((row) => row.page !== null);
    const here = rows.findIndex((row) => row.page === Number(pager.dataset.page) && (!language || row.promptLanguage === language));
    if (here < 0) return;
    const link = (row, rel) => {
      const found = make("a", rel === "prev" ? `← ${say("previous")} ` : `${say("next")} `);
      found.rel = rel;
      found.href = addressOf(row, choice, "");
      found.append(make("kbd", rel[0]), rel === "prev" ? "" : " →");
      return found;
    };
    pager.replaceChildren(
      ...(here > 0 ? [link(rows[here - 1], "prev")] : []),
      make("span", say("{here} of {all} chosen tasks", { here: here + 1, all: rows.length }), "place"),
      ...(here + 1 < rows.length ? [link(rows[here + 1], "next")] : []));
  }

  function taskPage(data) {
    if (!location.search) return;
    const choice = new Choice(data, location.search);
    document.querySelector(".crumb a").href = `../index.html#${choice.toString() || "tasks"}`;
    allRows(data).then(() => followChoice(data, choice, decodeURIComponent(location.hash.slice(1))), () => {});
  }

  /** Shows one task or the first page, as the address says. */
  function singleFile(data) {
    const main = byId("main");
    const first = make("div");
    first.append(...main.childNodes);
    const view = make("div");
    main.append(first, view);
    const list = new TaskList(data);
    const show = () => {
      const { task, in: language, ...choice } = Object.fromEntries(new URLSearchParams(chosenText()));
      const template = document.querySelector(`template[data-page="${CSS.escape(task ?? "")}"]`);
      first.hidden = Boolean(template);
      view.replaceChildren(...(template ? [template.content.cloneNode(true)] : []));
      if (!template) return;
      const back = make("a", `← ${say("all tasks")}`);
      const chosen = new Choice(data, choice);
      back.href = `#${chosen.toString() || "tasks"}`;
      followChoice(data, chosen, language);
      view.prepend(back);
      scrollTo(0, 0);
    };
    addEventListener("hashchange", () => { show(); if (!first.hidden) list.choose(chosenText()); });
    show();
  }

  document.addEventListener("DOMContentLoaded", () => {
    if (!window.POLYASSAY) return;
    if (single()) singleFile(window.POLYASSAY);
    else if (byId("task-list")) new TaskList(window.POLYASSAY);
    else if (document.querySelector(".pager")) taskPage(window.POLYASSAY);
  });
})();
