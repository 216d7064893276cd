// The page of `polyassay grade serve`: keys go to the server one after the other, each with the turn
// of the view that it was pressed on, and the next view comes back.
"use strict";

let turn = "";
let waiting = [];
let busy = false;
let returning = false;
let sent = 0; // keys so far

press = (key, text) => {
  waiting.push([key, text || ""]);
  if (!busy) sendAll();
};

async function sendAll() {
  busy = true;
  while (waiting.length) {
    const [key, text] = waiting.shift();
    sent += 1;
    const state = await ask("press", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ key, text, turn }),
    });
    if (!state) break;
    if (!state.taken) waiting = []; // pressed on something older than what is shown now
    take(state);
  }
  busy = false;
}

// Nothing is sent again by itself: the server may have taken it. The view tells what holds.
async function ask(path, options) {
  try {
    const response = await fetch(path, options);
    const state = await response.json();
    if (response.ok) return state;
    notice(state.error);
  } catch {
    notice(say("offline"), true); // until the next view comes
    setTimeout(comeBack, 1000);
  }
  waiting = [];
  return null;
}

// A view that was asked for before a key was sent is older than the one that the key brings.
async function comeBack() {
  if (returning) return;
  returning = true;
  const before = sent;
  try {
    const response = await fetch("state");
    const state = await response.json();
    if (response.ok && before === sent) begin(state);
  } catch {
    setTimeout(comeBack, 1000);
  }
  returning = false;
}

function take(state) {
  turn = state.turn;
  draw(state.view);
}

function begin(state) {
  words = state.words;
  handbook = state.handbook;
  document.documentElement.lang = state.language;
  take(state);
}

addEventListener("focus", () => { if (view && !busy) comeBack(); });
comeBack();
