// Draws a view (see rubric/room/view.py) and hands keys to `press(key, text)`. What tools and people
// wrote goes into text nodes only.
"use strict";

const room = document.getElementById("room");
const noticeLine = document.getElementById("notice");
const KEY_NAMES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter" };
const PLAIN_KEYS = "0123456789ubnscfdr";

let words = {};
let handbook = "";
let view = null;
let press = () => {};
let noticeTimer = 0;

function say(name, values) {
  return (words[name] || name).replace(/\{(\w+)\}/g, (_, key) => (values || {})[key]);
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "onclick") made.addEventListener("click", value);
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function card(title, kind, ...children) {
  return element("section", { class: `card ${kind}` }, element("h2", {}, title), ...children);
}

// One block a line, so that long lines wrap below themselves and numbers stay in their column.
function codeBlock(pieces) {
  const block = element("pre", { class: "code", tabindex: "0" });
  let line = element("span", { class: "line" });
  for (const [colour, text] of pieces) {
    text.split("\n").forEach((part, index) => {
      if (index) {
        block.append(line);
        line = element("span", { class: "line" });
      }
      if (part) line.append(colour ? element("span", { class: colour }, part) : part);
    });
  }
  if (line.hasChildNodes() || !block.hasChildNodes()) block.append(line);
  return block;
}

function differenceBlock(lines) {
  const block = element("pre", { class: "code difference", tabindex: "0" });
  for (const [sign, text] of lines) {
    const kind = sign === "-" ? " minus" : sign === "+" ? " plus" : "";
    block.append(element("span", { class: `line${kind}`, "data-sign": sign }, text));
  }
  return block;
}

function answerCards() {
  if (view.difference.length) return [card(say("difference"), "answer", differenceBlock(view.difference))];
  let cards = view.answers.map((answer) => card(answer.title, "answer", codeBlock(answer.pieces)));
  if (view.reference.length) cards = [cards[0], card(say("reference"), "answer", codeBlock(view.reference))];
  return cards;
}

function taskCard() {
  return card(say("task"), "task", element("div", {},
    element("p", {}, view.prompt),
    view.signature ? element("pre", {}, view.signature) : null,
    view.rule ? element("p", { class: "rule" }, view.rule) : null));
}

function fieldRow(field, number) {
  const options = field.options.map((option) => element("button", {
    type: "button",
    title: option.text,
    "aria-pressed": String(option.given),
    onclick: () => { press("focus", String(number)); press(option.key); },
  }, element("kbd", {}, option.key), " ", element("span", {}, option.label)));
  const name = element("h3", {}, field.name);
  if (field.side) name.append(" ", element("b", {}, field.side));
  return element("div", { class: `field${field.focused ? " focused" : ""}`, role: "group", "aria-label": `${field.name} ${field.side}` },
    name,
    element("div", { class: "options" }, ...options),
    field.comment ? element("p", { class: "comment" }, say("comment_shown", { text: field.comment })) : null);
}

function wording() {
  const focused = view.fields.find((field) => field.focused);
  if (view.fields.length < 2) return null;
  return element("ul", { class: "wording" },
    ...focused.options.map((option) => element("li", {}, element("b", {}, option.key), option.text)));
}

function keyRow(more) {
  const buttons = view.keys.map((key) => keyButton(key.key, key.name, () => act(key.key)));
  return element("div", { class: "keys" }, ...buttons, keyButton("?", say("help"), () => act("?")), ...(more || []));
}

function keyButton(key, name, onclick) {
  return element("button", { type: "button", onclick }, ...(key ? [element("kbd", {}, key), " "] : []), name);
}

function draw(next, more, kept) {
  const fresh = !view || view.number !== next.number || view.finished !== next.finished;
  const scrolled = [...room.querySelectorAll("pre.code")].map((block) => block.scrollTop);
  view = next;
  const head = element("header", {},
    element("h1", {}, view.where[0]),
    element("p", {}, view.where.slice(1).join(" · ")),
    element("p", { class: "kept" }, kept || say("saved")));
  const bar = element("progress", { value: view.progress[0], max: view.progress[1], "aria-label": view.where[0] });
  if (view.finished) {
    room.replaceChildren(bar, head, element("p", { class: "closing" }, view.closing), keyRow(more));
  } else {
    const cards = answerCards();
    const layout = cards.length > 1 || view.difference.length ? "work two" : "work";
    room.replaceChildren(bar, head,
      element("div", { class: layout }, taskCard(), element("div", { class: cards.length > 1 ? "answers" : "answers one" }, ...cards)),
      element("div", { class: "rubric" },
        view.feedback ? element("p", { class: "feedback" }, view.feedback) : null,
        ...view.fields.map(fieldRow), wording(), keyRow(more)));
  }
  room.setAttribute("aria-busy", "false");
  if (fresh) scrollTo(0, 0);
  else room.querySelectorAll("pre.code").forEach((block, index) => { block.scrollTop = scrolled[index] || 0; });
  notice(view.notice);
}

function notice(text, stays) {
  clearTimeout(noticeTimer);
  noticeLine.textContent = text;
  if (text && !stays) noticeTimer = setTimeout(() => { noticeLine.textContent = ""; }, 6000);
}

function dialog(title, ...children) {
  const box = element("dialog", {}, element("h2", {}, title), ...children);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

function showHelp() {
  const box = dialog(say("help"), element("pre", {}, handbook),
    element("button", { type: "button", onclick: () => box.close() }, say("close")));
  box.scrollTop = 0; // the focus is on the button, at the end
}

function askComment() {
  if (view.finished) return;
  const field = view.fields.find((one) => one.focused);
  const line = element("input", { maxlength: "2000" });
  line.value = field.comment;
  const form = element("form", { method: "dialog" }, line,
    element("button", { class: "primary" }, say("keep")),
    element("button", { type: "button", onclick: () => box.close() }, say("cancel")));
  const box = dialog(say("comment_title", { name: field.name }), form);
  form.addEventListener("submit", () => { if (line.value.trim() !== field.comment) press("c", line.value); });
  line.focus();
}

// A key of the keyboard or of a button; help and comments are the page's own.
function act(key) {
  if (key === "?") showHelp();
  else if (key === "c") askComment();
  else press(key);
}

document.addEventListener("keydown", (event) => {
  if (!view || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const onButton = event.key === "Enter" && event.target instanceof HTMLButtonElement;
  const key = KEY_NAMES[event.key] || event.key;
  if (onButton || !(event.key in KEY_NAMES || key === "?" || (key.length === 1 && PLAIN_KEYS.includes(key)))) return;
  event.preventDefault();
  act(key);
});
