// The page of `polyassay grade pack`: the whole session is in the file, and what is pressed stays in
// this browser until it is downloaded. Keys do what they do in rubric/room/desk.py and room.py; a test
// sends the same keys to both.
"use strict";

const pack = JSON.parse(document.getElementById("pack").textContent);
const PLACE = `polyassay-${pack.id}`;
const PAUSE = 300; // seconds from which on a grader was away

let kept = true;
let saved = { nonce: [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16).padStart(2, "0")).join(""), events: [] };
let screen = 0;
let focus = 0;
let since = performance.now();
let beside = "";
let told = "";

try {
  saved = JSON.parse(localStorage.getItem(PLACE)) || saved;
} catch {
  kept = false;
}

// What holds: the events that were not taken back.
function live() {
  const undone = new Set(saved.events.filter((event) => event.kind === "undo").map((event) => event.undoes));
  return saved.events.map((event, index) => ({ ...event, index })).filter((event) => event.kind !== "undo" && !undone.has(event.index));
}

function sheet(number, side) {
  const found = { given: {}, comments: {}, flagged: false, skipped: false };
  for (const event of live()) {
    if (event.screen !== number || event.side !== side) continue;
    if (event.kind === "give") { found.given[event.dimension] = event.value; found.skipped = false; }
    else if (event.kind === "comment") found.comments[event.dimension] = event.text;
    else if (event.kind === "flag") found.flagged = !found.flagged;
    else if (event.kind === "skip") found.skipped = true;
  }
  return found;
}

function sides(number) {
  return pack.kind === "preferences" ? [0] : pack.screens[number].answers.map((_, side) => side);
}

function fields() {
  return pack.fields.flatMap((field) => sides(screen).map((side) => ({ ...field, side })));
}

const given = (field) => sheet(screen, field.side).given[field.dimension];
const isDone = (number, side) => pack.fields.every((field) => field.dimension in sheet(number, side).given);
const settled = (number) => sides(number).every((side) => sheet(number, side).skipped || isDone(number, side));
const skipped = (number) => sides(number).some((side) => sheet(number, side).skipped);
const flagged = (number) => sides(number).some((side) => sheet(number, side).flagged);
const finished = () => screen >= pack.screens.length;
const feedback = () => (isDone(screen, 0) && pack.screens[screen].known) || "";

function add(kind, side, more) {
  const seconds = Math.round(performance.now() - since) / 1000;
  saved.events.push({ kind, screen, side, seconds, at: new Date().toISOString(), ...more });
  since = performance.now();
  try {
    localStorage.setItem(PLACE, JSON.stringify(saved));
  } catch {
    kept = false;
  }
}

function show(number) {
  screen = number;
  since = performance.now();
  focus = Math.max(0, fields().findIndex((field) => given(field) === undefined));
}

function goToOpen(start) {
  const count = pack.screens.length;
  for (let step = 0; step < count; step += 1) {
    const number = (start + step) % count;
    if (!settled(number)) return show(number);
  }
  screen = count;
}

function give(key) {
  const field = fields()[focus];
  if (feedback()) { told = say("told_already"); return; }
  if (!field.options.some((option) => option.key === key)) {
    told = say("range", { name: field.name, keys: field.options.map((option) => option.key).join(" ") });
    return;
  }
  add("give", field.side, { dimension: field.dimension, value: key });
  const all = fields();
  for (let step = 1; step < all.length; step += 1) {
    const index = (focus + step) % all.length;
    if (given(all[index]) === undefined) { focus = index; return; }
  }
  if (!feedback()) goToOpen(screen);
}

function undo() {
  const last = live().at(-1);
  if (!last || (pack.screens[last.screen].known && isDone(last.screen, last.side))) {
    told = say("nothing_to_undo");
    return;
  }
  show(last.screen);
  add("undo", last.side, { undoes: last.index });
  focus = Math.max(0, fields().findIndex((field) => field.side === last.side && field.dimension === last.dimension));
}

function skip() {
  for (const side of sides(screen)) if (!isDone(screen, side)) add("skip", side);
  goToOpen(screen);
}

function turnTo(what, problem) {
  if (problem) told = problem;
  else beside = beside === what ? "" : what;
}

const ACTIONS = {
  u: undo,
  b: () => show(Math.max(0, screen - 1)),
  n: () => (screen + 1 < pack.screens.length ? show(screen + 1) : goToOpen(0)),
  s: skip,
  f: () => add("flag", fields()[focus].side),
  d: () => turnTo("difference", pack.screens[screen].difference.length ? "" : say("no_difference")),
  r: () => turnTo("reference", pack.screens[screen].reference.length ? "" : say("no_reference")),
  up: () => { focus = (focus + fields().length - 1) % fields().length; },
  down: () => { focus = (focus + 1) % fields().length; },
};
const SAME = { left: "b", right: "n", enter: "n" };

press = (pressed, text) => {
  const key = SAME[pressed] || pressed;
  const before = screen;
  told = "";
  if (finished()) {
    if (key === "u" || key === "b") ACTIONS[key]();
    else if (key === "r") { const first = pack.screens.findIndex((_, number) => skipped(number)); if (first >= 0) show(first); }
  } else if (/^\d$/.test(key)) give(key);
  else if (key === "c") { const field = fields()[focus]; add("comment", field.side, { dimension: field.dimension, text: text.replace(/\s+/g, " ").trim() }); }
  else if (key === "focus") focus = Number(text) % fields().length;
  else if (key in ACTIONS) ACTIONS[key]();
  if (screen !== before) beside = "";
  redraw();
};

function pace(done, waiting) {
  const ends = {};
  for (const event of saved.events) if (["give", "skip"].includes(event.kind)) ends[event.screen] = Date.parse(event.at) / 1000;
  const times = Object.keys(ends).filter((number) => settled(Number(number))).map((number) => ends[number]).sort((a, b) => a - b);
  const gaps = times.slice(1).map((time, index) => time - times[index]).filter((gap) => gap < PAUSE).sort((a, b) => a - b);
  const middle = gaps.length ? (gaps[Math.floor((gaps.length - 1) / 2)] + gaps[Math.ceil((gaps.length - 1) / 2)]) / 2 : 0;
  if (!middle) return [say("done_count", { done })];
  const parts = [say("pace", { pace: (60 / middle).toFixed(1).replace(/\.0$/, "") })];
  return waiting ? [...parts, say("left", { minutes: Math.max(1, Math.round((waiting * middle) / 60)) })] : parts;
}

function currentView() {
  const total = pack.screens.length;
  const closed = pack.screens.map((_, number) => number).filter(settled);
  const left = closed.filter(skipped).length;
  const done = closed.length - left;
  const rate = pace(done, total - closed.length);
  const progress = [done, total];
  if (finished()) {
    const keys = [["u", "undo"], ["b", "back"]].map(([key, name]) => ({ key, name: say(name) }));
    if (left) keys.unshift({ key: "r", name: say("revisit") });
    return { finished: true, number: screen, where: [say("done"), ...rate], keys, notice: told, progress, closing: say(left ? "closing_skipped" : "closing", { total, skipped: left, done }) };
  }
  const current = pack.screens[screen];
  const two = current.answers.length > 1;
  const where = [say("item", { number: screen + 1, total })];
  if (current.known) where.push(say("calibration"));
  if (flagged(screen)) where.push(say("flagged"));
  if (skipped(screen)) where.push(say("skipped"));
  const names = [["u", "undo"], ["b", "back"], ["n", "next"], ["s", "skip"], ["c", "comment"], ["f", "flag"]];
  if (two) names.push(["d", "diff"]);
  if (current.reference.length) names.push(["r", "reference"]);
  return {
    finished: false, number: screen, where: [...where, ...rate], progress, notice: told,
    prompt: current.prompt, signature: current.signature, rule: pack.rule,
    answers: current.answers.map((pieces, side) => ({ title: say("answer") + (two ? ` ${"AB"[side]}` : ""), pieces })),
    fields: fields().map((field, number) => ({
      name: field.name,
      side: two && pack.kind === "scores" ? "AB"[field.side] : "",
      focused: number === focus,
      comment: sheet(screen, field.side).comments[field.dimension] || "",
      options: field.options.map((option) => ({ ...option, given: option.key === given(field) })),
    })),
    keys: names.map(([key, name]) => ({ key, name: say(name) })),
    feedback: feedback(),
    reference: beside === "reference" ? current.reference : [],
    difference: beside === "difference" ? current.difference : [],
  };
}

function download() {
  const content = JSON.stringify({ format: "polyassay-scores", version: 1, pack: pack.id, nonce: saved.nonce, events: saved.events });
  const link = element("a", { href: URL.createObjectURL(new Blob([content], { type: "application/json" })), download: `scores-${pack.id}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function redraw() {
  const button = keyButton("", say("download"), download);
  button.className = "primary";
  draw(currentView(), [button], say(kept ? "kept_here" : "not_kept"));
}

words = pack.words;
handbook = pack.handbook;
document.documentElement.lang = pack.language;
goToOpen(0);
redraw();
