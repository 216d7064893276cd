/* Which tasks are chosen, and in which order: kept in the address, so that it can be sent and gone back to. */
"use strict";

window.POLYASSAY_LIST = (() => {
  const byId = (id) => document.getElementById(id);
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text; // never innerHTML: texts are candidates'
    if (className) element.className = className;
    return element;
  };

  /** A sentence in the report's language; English where it has no other. */
  const say = (text, values = {}) => (window.POLYASSAY?.words?.[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

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
      this.rows = data.rows.map(([page, task, suite, language, promptLanguage, prompt, results], index) => ({
        index, page, task, suite: data.suites[suite], language, promptLanguage, prompt, results,
        text: `${task} ${prompt}`.toLowerCase(),
      }));
    }

    of(choice) {
      const words = choice.get("q").toLowerCase().split(/\s+/).filter(Boolean);
      const [show, suite, language, outcome] = ["show", "suite", "prompt", "outcome"].map((name) => choice.get(name));
      const dot = choice.get("dot") ? choice.get("dot").split(",").map(Number) : null;
      const column = choice.get("column") ? new Set(this.data.columns[choice.get("column")]) : null;
      const found = this.rows.filter((row) =>
        (!column || column.has(row.index)) &&
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

  return { byId, make, say, compare, markSorted, chosenText, Choice, Selection };
})();
