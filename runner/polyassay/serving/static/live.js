/* Keeps pages of `polyassay serve` up to date while runs go on. It only reads. */
"use strict";

(() => {
  const PAUSE = 1500; // milliseconds between two looks
  const QUIET = 2000; // a reader who has just done something is not interrupted
  let touched = 0;
  for (const name of ["keydown", "pointerdown", "wheel", "touchmove"]) {
    addEventListener(name, () => { touched = Date.now(); }, { passive: true });
  }

  function interrupts() {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    const chosen = String(getSelection()) !== "";
    return typing || chosen || document.hidden || Date.now() - touched < QUIET;
  }

  function told(state) {
    const counts = Object.entries(state.outcomes).map(([name, count]) => `${count} ${name}`);
    return [`${state.judged} of ${state.candidates} judged`, ...counts].join(" · ");
  }

  /* The strip of a run's page; where newer figures can be had, the page is loaded again. */
  function follow(strip, state) {
    strip.querySelector("progress").value = state.judged;
    strip.querySelector("span").textContent = told(state);
    if (state.shown !== Number(strip.dataset.judged) && !interrupts()) location.reload();
  }

  function list(table, state) {
    const rows = new Map([...table.querySelectorAll("[data-run]")].map((row) => [row.dataset.run, row]));
    const changed = state.runs.length !== rows.size || state.runs.some(({ run, judged }) => rows.get(run)?.dataset.judged !== String(judged));
    if (changed && !interrupts()) location.reload();
  }

  async function look(element, show) {
    try {
      const answer = await fetch(element.dataset.state, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      show(element, await answer.json());
    } catch {
      const place = element.querySelector("span");
      if (element.id === "live" && place) place.textContent = "The server has ended; start it again with polyassay serve.";
    }
    setTimeout(() => look(element, show), PAUSE);
  }

  const strip = document.getElementById("live");
  const table = document.getElementById("runs");
  if (strip) look(strip, follow);
  if (table) look(table, list);
})();
