/* The list of tasks: what is chosen is kept in the address, so that it can be sent and gone back to. */
"use strict";

window.POLYASSAY_LIST = (() => {
  const PAGE = 100; // rows drawn at a time, so that thousands of tasks never block the page
  const byId = (id) => document.getElementById(id);
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text; // never innerHTML: texts are candidates'
    if (className) element.className = className;
    return element;
  };

  const collator = new Intl.Collator("en", { numeric: true });
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b));

  function markSorted(header, descending) {
    for (const other of header.parentElement.children) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  }

  const dotPosition = (ratio) => (ratio <= 0 ? 0 : ratio >= 1 ? 1 : Math.min(0.95, Math.max(0.05, roundHalfEven(ratio * 20) / 20)));
  // Python rounds halves to the even neighbour; both sides must agree on which dot a task is in.
  function roundHalfEven(value) {
    const floor = Math.floor(value);
    if (value - floor !== 0.5) return Math.round(value);
    return floor % 2 ? floor + 1 : floor;
  }

  /** The part of the first page's address that says what is chosen. */
  const chosenText = () => (location.hash.includes("=") ? location.hash.slice(1) : "");

  /** What is chosen: plain texts by name, as in an address; what is missing is as usual. */
  class Choice {
    constructor(data, text) {
      this.usual = { show: data.pair ? "differ" : "all", order: data.pair ? "-difference" : "task" };
      this.values = { ...this.usual, ...(typeof text === "string" ? Object.fromEntries(new URLSearchParams(text)) : text) };
    }

    get(name) { return this.values[name] ?? ""; }

    set(changes) { Object.assign(this.values, changes); }

    toString() {
      const kept = Object.entries(this.values).filter(([name, value]) => value !== (this.usual[name] ?? ""));
      return new URLSearchParams(kept).toString();
    }
  }

  /** The rows that a choice leaves, in its order. */
  class Selection {
    constructor(data) {
      this.data = data;
      this.pair = data.pair;
      this.rows = data.rows.map(([page, task, suite, language, promptLanguage, prompt, results]) => ({
        page, task, suite: data.suites[suite], language, promptLanguage, prompt, results,
        text: `${task} ${prompt}`.toLowerCase(),
      }));
    }

    of(choice) {
      const words = choice.get("q").toLowerCase().split(/\s+/).filter(Boolean);
      const [show, suite, language, outcome] = ["show", "suite", "prompt", "outcome"].map((name) => choice.get(name));
      const dot = choice.get("dot") ? choice.get("dot").split(",").map(Number) : null;
      const found = this.rows.filter((row) =>
        words.every((word) => row.text.includes(word)) &&
        this.shown(row, show) &&
        (!suite || row.suite === suite) &&
        (!language || row.promptLanguage === language) &&
        (!outcome || row.results.some((result) => result && this.data.outcomes[result[0]] === outcome)) &&
        (!dot || this.isAtDot(row, dot)));
      return this.sorted(found, choice.get("order"));
    }

    solves(row, tool) { return Boolean(row.results[tool]?.[4] > 0); }

    share(row, tool) {
      const result = row.results[tool];
      return result && result[5] ? result[4] / result[5] : 0;
    }

    shown(row, show) {
      const all = this.data.tools.map((_, i) => this.solves(row, i));
      if (show === "every") return all.every(Boolean);
      if (show === "none") return !all.some(Boolean);
      if (show === "all" || !this.pair) return true;
      const [a, b] = this.pair;
      return {
        differ: this.share(row, a) !== this.share(row, b),
        both: all[a] && all[b],
        a: all[a] && !all[b],
        b: all[b] && !all[a],
        neither: !all[a] && !all[b],
      }[show] ?? true;
    }

    isAtDot(row, dot) {
      return this.pair?.every((tool, i) => row.results[tool] && Math.abs(dotPosition(row.results[tool][1]) - dot[i]) < 1e-6);
    }

    difference(row) {
      const [a, b] = this.pair.map((tool) => row.results[tool]?.[1] ?? 0);
      return b - a;
    }

    sorted(rows, order) {
      const descending = order.startsWith("-");
      const column = descending ? order.slice(1) : order;
      const key = (row) => {
        if (column === "difference") return this.pair ? Math.abs(this.difference(row)) : 0;
        return /^\d+$/.test(column) ? (row.results[column]?.[1] ?? -1) : (row[column] ?? "");
      };
      const sign = descending ? -1 : 1;
      return rows.sort((a, b) => sign * compare(key(a), key(b)) || compare(a.suite, b.suite) || compare(a.task, b.task));
    }
  }

  // Of a report in a single file, tasks are templates, and the address says which one is shown.
  const single = () => document.querySelector("template[data-page]") !== null;

  function addressOf(row, choice, folder) {
    const language = encodeURIComponent(row.promptLanguage);
    return single() ? `#task=${row.page}&in=${language}&${choice}` : `${folder}${row.page}.html?${choice}#${language}`;
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
      this.update();
      if (chosenText()) byId("tasks").scrollIntoView();
    }

    drawHead() {
      const head = byId("task-list").tHead.insertRow();
      const columns = [["prompt", "task"], ["task", "id"]];
      if (this.data.suites.length > 1) columns.push(["suite", "suite"]);
      columns.push(["promptLanguage", "prompt"]);
      this.data.tools.forEach((tool, i) => columns.push([String(i), tool]));
      if (this.data.pair) columns.push(["difference", "difference"]);
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

    drawFilters() {
      const tools = this.data.tools;
      const shows = [["all", "all tasks"]];
      if (this.data.pair) {
        const [a, b] = this.data.pair.map((i) => tools[i]);
        shows.push(["differ", "tasks that differ"], ["both", `${a} and ${b} solve`], ["a", `only ${a} solves`], ["b", `only ${b} solves`], ["neither", `neither ${a} nor ${b} solves`]);
      }
      shows.push(["every", tools.length > 1 ? "all solve" : "solved"], ["none", tools.length > 1 ? "none solves" : "not solved"]);
      this.fill("show", shows);
      const rows = this.selection.rows;
      const distinct = (name) => [...new Set(rows.map((row) => row[name]))].sort();
      this.fill("suite", [["", "all"], ...distinct("suite").map((name) => [name, name])]);
      this.fill("prompt-language", [["", "all"], ...distinct("promptLanguage").map((name) => [name, name])]);
      const used = new Set(rows.flatMap((row) => row.results.filter(Boolean).map((result) => result[0])));
      this.fill("outcome", [["", "all"], ...[...used].sort((a, b) => a - b).map((i) => [this.data.outcomes[i], this.data.outcomes[i]])]);
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
        this.choice.set({ ...Object.fromEntries(values), dot: "" });
        this.update();
      });
      byId("clear").addEventListener("click", () => this.open({ show: "all" }, false));
      byId("more").addEventListener("click", () => this.draw(this.drawn + PAGE));
      for (const link of document.querySelectorAll("[data-dot], [data-show]")) {
        link.addEventListener("click", (event) => {
          event.preventDefault();
          this.open({ show: link.dataset.show ?? "all", dot: link.dataset.dot ?? "" }, true);
        });
      }
    }

    choose(text) {
      this.choice = new Choice(this.data, text);
      this.update();
    }

    /** Chooses this and nothing else. */
    open(values, goThere) {
      this.choice.set({ q: "", suite: "", prompt: "", outcome: "", dot: "", ...values });
      this.update();
      if (!goThere) return;
      byId("tasks").scrollIntoView();
      byId("tasks").focus({ preventScroll: true });
    }

    update() {
      for (const [name, id] of Object.entries(FIELDS)) {
        if (byId(id).value !== this.choice.get(name)) byId(id).value = this.choice.get(name);
      }
      this.found = this.selection.of(this.choice);
      const all = this.selection.rows.length;
      const dot = this.choice.get("dot").split(",");
      const where = dot.length === 2 ? ` at the chosen dot: ${this.data.pair.map((tool, i) => `${this.data.tools[tool]} about ${Math.round(100 * dot[i])} %`).join(", ")}` : "";
      byId("found").textContent = `${this.found.length}${this.found.length === all ? "" : ` of ${all}`} tasks${where}`;
      const chosen = this.choice.toString();
      if (chosen || chosenText()) history.replaceState(null, "", `#${chosen || "tasks"}`);
      this.draw(PAGE);
    }

    draw(count) {
      const rows = document.createDocumentFragment();
      for (const row of this.found.slice(0, count)) rows.append(this.line(row));
      byId("task-list").tBodies[0].replaceChildren(rows);
      this.drawn = count;
      byId("more").hidden = this.found.length <= count;
    }

    line(row) {
      const line = make("tr");
      for (const column of this.columns) {
        if (column === "prompt") {
          const head = make("th", undefined, "c-prompt");
          head.scope = "row";
          const link = make("a", row.prompt || row.task);
          link.href = addressOf(row, this.choice, "tasks/");
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
      if (!result) return make("td", "no answer", "bad");
      const [outcome, , passed, total, solving, samples] = result;
      const name = this.data.outcomes[outcome];
      if (samples === 1) return make("td", name === "passed" ? `✓ ${passed}/${total}` : `✗ ${passed}/${total} ${name}`, name === "passed" ? "good" : "bad");
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

  /** On a task's page: the next and the previous task of what was chosen on the first page. */
  function followChoice(data, choice, language) {
    const pager = document.querySelector(".pager");
    const rows = new Selection(data).of(choice);
    const here = rows.findIndex((row) => row.page === Number(pager.dataset.page) && (!language || row.promptLanguage === language));
    if (here < 0) return;
    const link = (row, rel) => {
      const found = make("a", rel === "prev" ? "← previous " : "next ");
      found.rel = rel;
      found.href = addressOf(row, choice, "");
      found.append(make("kbd", rel[0]), rel === "prev" ? "" : " →");
      return found;
    };
    pager.replaceChildren(
      ...(here > 0 ? [link(rows[here - 1], "prev")] : []),
      make("span", `${here + 1} of ${rows.length} chosen tasks`, "place"),
      ...(here + 1 < rows.length ? [link(rows[here + 1], "next")] : []));
  }

  function taskPage(data) {
    if (!location.search) return;
    const choice = new Choice(data, location.search);
    document.querySelector(".crumb a").href = `../index.html#${choice.toString() || "tasks"}`;
    followChoice(data, choice, decodeURIComponent(location.hash.slice(1)));
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
      const back = make("a", "← all tasks");
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
  return { compare, markSorted };
})();
