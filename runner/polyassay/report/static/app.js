/* Sorts tables, filters and pages through the list of tasks, switches the theme. No dependencies. */
"use strict";

(() => {
  const PAGE = 100; // rows drawn at a time, so that thousands of tasks never block the page
  const byId = (id) => document.getElementById(id);
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text; // never innerHTML: texts are candidates'
    if (className) element.className = className;
    return element;
  };

  function theme() {
    const root = document.documentElement;
    const remembered = (() => { try { return localStorage.getItem("polyassay-theme"); } catch { return null; } })();
    if (remembered) root.dataset.theme = remembered;
    byId("theme").addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("polyassay-theme", root.dataset.theme); } catch { /* a private window */ }
    });
  }

  const collator = new Intl.Collator("en", { numeric: true });
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b));

  function markSorted(header, descending) {
    for (const other of header.parentElement.children) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  }

  function sortable(table) {
    const key = (row, column) => {
      const cell = row.cells[column];
      const text = cell.dataset.key ?? cell.textContent.trim();
      return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
    };
    for (const header of table.tHead.rows[0].cells) {
      header.querySelector("button")?.addEventListener("click", () => {
        const descending = header.getAttribute("aria-sort") ? header.getAttribute("aria-sort") === "ascending" : header.classList.contains("number");
        const rows = [...table.tBodies[0].rows].sort((a, b) => compare(key(a, header.cellIndex), key(b, header.cellIndex)));
        table.tBodies[0].append(...(descending ? rows.reverse() : rows));
        markSorted(header, descending);
      });
    }
  }

  const dotPosition = (ratio) => (ratio <= 0 ? 0 : ratio >= 1 ? 1 : Math.min(0.95, Math.max(0.05, roundHalfEven(ratio * 20) / 20)));
  // Python rounds halves to the even neighbour; both sides must agree on which dot a task is in.
  function roundHalfEven(value) {
    const floor = Math.floor(value);
    if (value - floor !== 0.5) return Math.round(value);
    return floor % 2 ? floor + 1 : floor;
  }

  const className = (column) => (column === "difference" ? "number" : typeof column === "string" ? `c-${column}` : "");

  class TaskList {
    constructor(data) {
      this.data = data;
      this.rows = data.rows.map(([page, task, suite, language, promptLanguage, prompt, results]) => ({
        page, task, suite: data.suites[suite], language, promptLanguage, prompt, results,
        text: `${task} ${prompt}`.toLowerCase(),
      }));
      this.pair = data.pair;
      this.dot = null;
      this.order = { column: this.pair ? "difference" : "task", descending: Boolean(this.pair) };
      this.drawHead();
      this.drawFilters();
      this.listen();
      this.update();
    }

    drawHead() {
      const head = byId("task-list").tHead.insertRow();
      const columns = [["task", "task"]];
      if (this.data.suites.length > 1) columns.push(["suite", "suite"]);
      columns.push(["promptLanguage", "prompt"], ["prompt", ""]);
      this.data.tools.forEach((tool, i) => columns.push([i, tool]));
      if (this.pair) columns.push(["difference", "difference"]);
      for (const [column, label] of columns) {
        const header = make("th", undefined, className(column));
        header.scope = "col";
        const button = make("button", label);
        button.type = "button";
        if (label) header.append(button);
        button.addEventListener("click", () => {
          const again = this.order.column === column;
          this.order = { column, descending: again ? !this.order.descending : typeof column === "number" };
          markSorted(header, this.order.descending);
          this.update();
        });
        head.append(header);
      }
      this.columns = columns.map(([column]) => column);
    }

    drawFilters() {
      const tools = this.data.tools;
      const shows = [["all", "all tasks"]];
      if (this.pair) {
        const [a, b] = this.pair.map((i) => tools[i]);
        shows.push(["differ", "tasks that differ"], ["a", `only ${a} solves`], ["b", `only ${b} solves`]);
      }
      shows.push(["every", tools.length > 1 ? "all solve" : "solved"], ["none", tools.length > 1 ? "none solves" : "not solved"]);
      this.fill("show", shows);
      if (this.pair) byId("show").querySelector('[value="differ"]').defaultSelected = true;
      const distinct = (name) => [...new Set(this.rows.map((row) => row[name]))].sort();
      this.fill("suite", [["", "all"], ...distinct("suite").map((name) => [name, name])]);
      this.fill("prompt-language", [["", "all"], ...distinct("promptLanguage").map((name) => [name, name])]);
      const used = new Set(this.rows.flatMap((row) => row.results.filter(Boolean).map((result) => result[0])));
      this.fill("outcome", [["", "all"], ...[...used].sort((a, b) => a - b).map((i) => [String(i), this.data.outcomes[i]])]);
      byId("filters").reset();
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
      filters.addEventListener("input", () => { this.dot = null; this.update(); });
      filters.addEventListener("reset", () => { this.dot = null; setTimeout(() => { byId("show").value = "all"; this.update(); }); });
      byId("more").addEventListener("click", () => this.draw(this.drawn + PAGE));
      for (const link of document.querySelectorAll("[data-dot]")) {
        link.addEventListener("click", (event) => {
          event.preventDefault();
          this.dot = link.dataset.dot.split(",").map(Number);
          byId("show").value = "all";
          this.update();
          byId("tasks").scrollIntoView();
          byId("tasks").focus({ preventScroll: true });
        });
      }
    }

    solves(row, tool) {
      const result = row.results[tool];
      return Boolean(result && result[4] > 0);
    }

    share(row, tool) {
      const result = row.results[tool];
      return result && result[5] ? result[4] / result[5] : 0;
    }

    shown(row, show) {
      const all = this.data.tools.map((_, i) => this.solves(row, i));
      if (show === "every") return all.every(Boolean);
      if (show === "none") return !all.some(Boolean);
      if (show === "all") return true;
      const [a, b] = this.pair;
      if (show === "differ") return this.share(row, a) !== this.share(row, b);
      return show === "a" ? all[a] && !all[b] : all[b] && !all[a];
    }

    update() {
      const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
      const show = byId("show").value;
      const suite = byId("suite").value;
      const promptLanguage = byId("prompt-language").value;
      const outcome = byId("outcome").value;
      this.found = this.rows.filter((row) =>
        words.every((word) => row.text.includes(word)) &&
        this.shown(row, show) &&
        (!suite || row.suite === suite) &&
        (!promptLanguage || row.promptLanguage === promptLanguage) &&
        (outcome === "" || row.results.some((result) => result && String(result[0]) === outcome)) &&
        (!this.dot || this.isAtDot(row)));
      this.sort();
      const of = this.found.length === this.rows.length ? "" : ` of ${this.rows.length}`;
      const where = this.dot ? ` at the chosen dot: ${this.pair.map((tool, i) => `${this.data.tools[tool]} about ${Math.round(100 * this.dot[i])} %`).join(", ")}` : "";
      byId("found").textContent = `${this.found.length}${of} tasks${where}`;
      this.draw(PAGE);
    }

    isAtDot(row) {
      return this.pair.every((tool, i) => row.results[tool] && Math.abs(dotPosition(row.results[tool][1]) - this.dot[i]) < 1e-6);
    }

    sort() {
      const { column, descending } = this.order;
      const key = (row) => {
        if (column === "difference") return Math.abs(this.difference(row));
        return typeof column === "number" ? (row.results[column]?.[1] ?? -1) : row[column];
      };
      const sign = descending ? -1 : 1;
      this.found.sort((a, b) => sign * compare(key(a), key(b)) || compare(a.suite, b.suite) || compare(a.task, b.task));
    }

    difference(row) {
      const [a, b] = this.pair.map((tool) => row.results[tool]?.[1] ?? 0);
      return b - a;
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
        if (column === "task") {
          const head = make("th");
          head.scope = "row";
          const link = make("a", row.task);
          link.href = `tasks/${row.page}.html#${encodeURIComponent(row.promptLanguage)}`;
          head.append(link);
          line.append(head);
        } else if (column === "difference") {
          const points = Math.round(100 * this.difference(row));
          line.append(make("td", points ? `${points > 0 ? "+" : "−"}${Math.abs(points)}` : "0", "number"));
        } else if (typeof column === "number") line.append(this.result(row.results[column]));
        else line.append(make("td", row[column], className(column)));
      }
      return line;
    }

    result(result) {
      if (!result) return make("td", "no answer", "bad");
      const [outcome, , passed, total, solving, samples] = result;
      const name = this.data.outcomes[outcome];
      if (samples > 1) return make("td", `${solving}/${samples} pass`, solving ? "good" : "bad");
      return make("td", name === "passed" ? `✓ ${passed}/${total}` : `✗ ${passed}/${total} ${name}`, name === "passed" ? "good" : "bad");
    }
  }

  function keys(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && byId("search")) {
      event.preventDefault();
      byId("search").focus();
    }
    const rel = { n: "next", p: "prev" }[event.key];
    const link = rel && document.querySelector(`.pager a[rel="${rel}"]`);
    if (link) link.click();
  }

  theme();
  document.querySelectorAll("table.sortable").forEach(sortable);
  if (window.POLYASSAY) new TaskList(window.POLYASSAY);
  document.addEventListener("keydown", keys);
})();
