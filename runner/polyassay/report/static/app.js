/* Sorts tables, switches the theme, and knows the keys; tasks.js has data, task_list.js the list of them. */
"use strict";

(() => {
  const { compare, markSorted, say } = window.POLYASSAY_LIST;
  const byId = (id) => document.getElementById(id);

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

  function copying(button) {
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.text);
        byId("copied").textContent = say("Copied.");
      } catch { // refused, as some browsers do for files
        const area = document.createElement("textarea");
        area.value = button.dataset.text;
        area.setAttribute("aria-label", say("Summary as Markdown"));
        button.after(area);
        area.select();
        byId("copied").textContent = say("Select and copy.");
      }
    });
  }

  function chooseTab(event) {
    const chosen = event.target.closest?.("button[data-tab]");
    if (!chosen) return;
    const article = chosen.closest("article");
    for (const button of article.querySelectorAll("button[data-tab]")) button.setAttribute("aria-pressed", String(button === chosen));
    article.querySelectorAll(".panel").forEach((panel, i) => { panel.hidden = i !== Number(chosen.dataset.tab); });
  }

  theme();
  document.addEventListener("click", chooseTab);
  if (byId("copy")) copying(byId("copy"));
  document.querySelectorAll("table.sortable").forEach(sortable);
  document.addEventListener("keydown", keys);
})();
