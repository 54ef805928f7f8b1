"use strict";
// A token is one number: its text's place in trace.texts times 4, plus 1 if white space stands before
// it, plus 2 if it is a painted name. A step is [at, remove, insert, level, partner, meets, bound]: one
// splice, how many invocations it is inside of, the step that belongs together with it, how many tokens
// its invocation has if it only is met here, and [start, length, hue] of each argument in the line.

// The line after any number of steps, forwards and backwards. Only what was taken out is kept.
function replay(trace) {
  let line = trace.before.slice();
  const taken = [];
  function splice(at, remove, insert) {
    if (insert.length < 10000) return line.splice(at, remove, ...insert);
    const removed = line.slice(at, at + remove);
    line = line.slice(0, at).concat(insert, line.slice(at + remove));
    return removed;
  }
  return {
    state: () => taken.length,
    line: () => line,
    go(state) {
      while (taken.length < state) {
        const [at, remove, insert] = trace.steps[taken.length];
        taken.push(splice(at, remove, insert));
      }
      while (taken.length > state) {
        const removed = taken.pop();
        const [at, , insert] = trace.steps[taken.length];
        splice(at, insert.length, removed);
      }
    },
  };
}

// The state after the next invocation is finished, and the one from which that leads here.
function over(steps, state) {
  if (state >= steps.length) return state;
  const level = steps[state][3];
  let to = Math.max(state, steps[state][4]) + 1;
  while (to < steps.length && steps[to][3] > level) to++;
  return to;
}

function backOver(steps, state) {
  if (state === 0) return 0;
  const next = steps[state];
  const level = next ? next[3] + (next[4] < state) : 0;
  let to = state - 1;
  while (to > 0 && steps[to][3] > level) to--;
  return Math.min(to, steps[to][4]);
}

// Where declarations and statements start, by brackets and semicolons alone: [token, indent].
function declarations(texts) {
  const closes = { "(": ")", "{": "}" };
  const isOpen = (text) => text === "(" || text === "{";
  const spread = new Set();
  const open = [];
  texts.forEach((text, i) => {
    if (isOpen(text)) open.push([i, 0]);
    else if (text === ";" && open.length) open[open.length - 1][1]++;
    else if (open.length && closes[texts[open[open.length - 1][0]]] === text) {
      const [start, semicolons] = open.pop();
      const isFor = text === ")" && start > 0 && texts[start - 1] === "for";
      const length = texts.slice(start + 1, Math.min(i, start + 42)).reduce((n, t) => n + t.length + 1, 0);
      if (semicolons && !isFor && (text === ")" || semicolons > 1 || length > 40)) {
        spread.add(start);
        if (text === "}" && open.length) open[open.length - 1][1] += 2;
      }
    }
  });
  for (const [start, semicolons] of open) if (semicolons) spread.add(start);
  const breaks = [];
  const inside = [true];
  let level = 0;
  const add = (at) => breaks.push([at, 2 * Math.min(level, 12)]);
  texts.forEach((text, i) => {
    const next = texts[i + 1] || "";
    let ends = false;
    if (isOpen(text)) {
      const wide = spread.has(i);
      inside.push(wide);
      level += wide;
      ends = wide;
    } else if (text === ";") {
      ends = inside[inside.length - 1] && next !== ";";
    } else if ((text === ")" || text === "}") && inside.length > 1 && inside.pop()) {
      level--;
      if (breaks.length && breaks[breaks.length - 1][0] === i) breaks.pop();
      add(i);
    }
    if (text === "}") ends = inside[inside.length - 1] && !["}", ";", ",", ")"].includes(next);
    if (ends && i + 1 < texts.length) add(i + 1);
  });
  if (!breaks.length || breaks[0][0]) breaks.unshift([0, 0]);
  return breaks;
}

// Whether two tokens would be read as another one without a blank between them.
const OPERATORS = /^(?:%:%:|\.\.\.|<=>|<<=|>>=|->\*|<:|:>|<%|%>|%:|##|::|->|\.\*|\+\+|--|<<|>>|[<>=!*/%+&|^-]=|&&|\|\||\/\/|\/\*)/;
function wouldFuse(left, right) {
  if (/^\.?\d/.test(left)) return /^[\w$.'\u0080-\uffff]/.test(right) || (/[eEpP]$/.test(left) && /^[+-]/.test(right));
  if (/["']$/.test(left)) return /^[A-Za-z_$\u0080-\uffff]/.test(right);
  if (/[\w$\u0080-\uffff]$/.test(left)) return /^[\w$\u0080-\uffff]/.test(right) || (/^(?:u8|[uUL])?R?$/.test(left) && /^["']/.test(right));
  const operator = OPERATORS.exec(left + right);
  if ((left === "." && /^[\d.]/.test(right)) || (left === "<:" && right[0] === ":")) return true;
  return operator !== null && operator[0].length > left.length;
}

function start() {
  const trace = JSON.parse(document.getElementById("trace").textContent);
  const { texts, steps, tail } = trace;
  const film = replay(trace);
  const $ = (id) => document.getElementById(id);
  const line = $("line"), card = $("card"), range = document.querySelector("#track input");
  const articles = [...document.querySelectorAll("#steps li")];
  const entries = [...document.querySelectorAll(".entry")];

  function lookOf(code, i, length, step, last) {
    const text = texts[code >> 2];
    const names = [];
    let element = "span";
    const reach = step ? step[5] || step[1] : 0;
    const consumed = step && i >= step[0] && i < step[0] + reach;
    const produced = last && i >= last[0] && i < last[0] + last[2].length;
    if (produced) names.push("produced");
    if (consumed && i === step[0]) names.push("head");
    if (code & 2) element = "s";
    else if (consumed) element = "u";
    else if (produced) element = "b";
    const bound = step && step[6].find(([from, count]) => i >= from && i < from + count);
    if (bound) names.push("h" + bound[2]);
    else if (i >= length) names.push("tail");
    else if (!/^[\w$"']|^\.\d|[^\x00-\x7f]/.test(text)) names.push("punctuation");
    return element + " " + names.join(" ");
  }

  function draw() {
    const state = film.state(), step = steps[state], last = steps[state - 1];
    const length = film.line().length;
    const tokens = film.line().concat(tail);
    const spelled = tokens.map((code) => texts[code >> 2]);
    const rows = document.createDocumentFragment();
    const breaks = declarations(spelled);
    breaks.forEach(([from, indent], n) => {
      const to = n + 1 < breaks.length ? breaks[n + 1][0] : tokens.length;
      const row = document.createElement("div");
      row.style.setProperty("--indent", indent);
      let part = null, look = "";
      for (let i = from; i < to; i++) {
        const now = lookOf(tokens[i], i, length, step, last);
        const blank = i > from && ((tokens[i] & 1 && spelled[i - 1] !== "(") || wouldFuse(spelled[i - 1], spelled[i]));
        if (now !== look) {
          const [element, ...names] = now.split(" ");
          if (blank) (part && /^[ub]/.test(element) && look[0] === element ? part : row).append(" ");
          part = document.createElement(element);
          part.className = names.join(" ");
          row.append(part);
          look = now;
        } else if (blank) part.append(" ");
        if (spelled[i] === "::" || (i > from && /^[(<,]$/.test(spelled[i - 1])))
          part.append(document.createElement("wbr"));
        part.append(spelled[i]);
      }
      if (last && last[1] && !last[2].length && last[0] >= from && (last[0] < to || to === tokens.length)) {
        const gone = document.createElement("span");
        gone.className = "gone";
        gone.textContent = "− ";
        gone.title = "The last step took something away here";
        row.prepend(gone);
      }
      rows.append(row);
    });
    line.replaceChildren(rows);
    const eye = line.querySelector(".produced") || line.querySelector("u");
    if (eye) {
      const top = eye.offsetTop - line.offsetTop;
      if (top < line.scrollTop || top + eye.offsetHeight > line.scrollTop + line.clientHeight)
        line.scrollTop = top - line.clientHeight / 4;
    }
  }

  function unnamed(element) {
    const copy = element.cloneNode(true);
    for (const named of [copy, ...copy.querySelectorAll("[id]")]) named.removeAttribute("id");
    return copy;
  }

  function tell() {
    const state = film.state();
    const told = (k) => articles[k].querySelector(".told").textContent;
    $("happened").textContent = state ? told(state - 1) : trace.opening;
    $("upcoming").textContent = state < steps.length ? told(state) : trace.ending;
    card.replaceChildren();
    if (state < steps.length) {
      const article = unnamed(articles[state]);
      const link = article.querySelector("a.defined");
      if (link) link.closest("p").replaceWith(unnamed(document.querySelector(link.hash)));
      card.append(...article.childNodes);
    } else card.textContent = document.querySelector("header p").textContent;
    card.scrollTop = 0;
    let newest = null;
    for (const entry of entries) {
      const { begun, complete } = entry.dataset;
      entry.classList.toggle("unborn", +begun > state);
      entry.classList.toggle("pending", +complete > state);
      entry.classList.remove("newest");
      if (+complete <= state && (!newest || +complete >= +newest.dataset.complete)) newest = entry;
    }
    if (newest) newest.classList.add("newest");
    range.value = state;
    range.setAttribute("aria-valuetext", `step ${state} of ${steps.length}`);
    $("count").textContent = `${state} / ${steps.length}`;
    for (const name of ["first", "back"]) document.querySelector(`[data-go=${name}]`).disabled = !state;
    for (const name of ["on", "last"]) document.querySelector(`[data-go=${name}]`).disabled = state === steps.length;
  }

  function go(state, remember = true) {
    film.go(Math.min(Math.max(state, 0), steps.length));
    draw();
    tell();
    if (remember) try { history.replaceState(null, "", "#state-" + film.state()); } catch { /* not allowed for this address */ }
  }

  const ways = {
    first: () => 0,
    back: () => film.state() - 1,
    on: () => film.state() + 1,
    last: () => steps.length,
  };
  for (const button of document.querySelectorAll("[data-go]"))
    button.addEventListener("click", () => go(ways[button.dataset.go]()));
  range.addEventListener("input", () => go(+range.value));
  line.addEventListener("click", (event) => {
    if (event.target.closest("u") && getSelection().isCollapsed) go(film.state() + 1);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || (event.target === range && !event.shiftKey)) return;
    const state = film.state();
    const to = {
      ArrowRight: event.shiftKey ? over(steps, state) : state + 1,
      ArrowLeft: event.shiftKey ? backOver(steps, state) : state - 1,
      Home: 0,
      End: steps.length,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  let touched = null;
  line.addEventListener("touchstart", (event) => { touched = event.touches[0]; }, { passive: true });
  line.addEventListener("touchend", (event) => {
    if (!touched) return;
    const x = event.changedTouches[0].clientX - touched.clientX;
    const y = event.changedTouches[0].clientY - touched.clientY;
    touched = null;
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) go(film.state() + (x < 0 ? 1 : -1));
  }, { passive: true });
  addEventListener("hashchange", () => arrive());

  function arrive() {
    const [, kind, number] = /^#(state|step)-(\d+)$/.exec(location.hash) || [];
    const step = kind === "step" ? articles.findIndex((a) => a.id === "step-" + number) : -1;
    go(kind === "state" ? +number : Math.max(step, 0), false);
  }

  document.body.classList.add("stepping");
  document.body.classList.toggle("alone", !document.getElementById("registry"));
  for (const id of ["stage", "card", "controls"]) $(id).hidden = false;
  arrive();
}

if (typeof document !== "undefined") start();
