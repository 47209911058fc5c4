// What is chosen on the page, the bar in which it is chosen, and which parts are drawn when.

const state = { category: "", off: new Set(), problem: 0, hot: null };
const parts = [];

function shownMethods() { return DATA.methods.map((_, m) => m).filter(m => !state.off.has(m)); }

function shownProblems() {
  return DATA.problems.map((_, p) => p).filter(p => !state.category || DATA.problems[p].category === state.category);
}

// What is near the window is drawn at once, the rest piece by piece soon after, so that jumps find everything in its place.
function part(id, draw) { parts.push({ node: byId(id), draw, near: false, stale: true }); }

function draw(each) {
  if (!each.stale) return;
  each.stale = false;
  each.draw();
}

function drawNear() { for (const each of parts) if (each.near) draw(each); }

function drawRest() {
  const next = parts.find(each => each.stale);
  if (!next) return;
  draw(next);
  setTimeout(drawRest, 20);
}

function refresh() {
  const problems = shownProblems();
  if (!problems.includes(state.problem)) state.problem = problems[0];
  for (const each of parts) each.stale = true;
  drawNear();
  const hot = state.hot;
  state.hot = null;
  setHot(state.off.has(hot) ? null : hot); // what has just been drawn does not know yet
  setTimeout(drawRest, 20);
}

function drawAll() { for (const each of parts) draw(each); }

// The method under the pointer stands out everywhere.
function setHot(m) {
  if (m !== null && state.off.has(m)) m = null;
  if (state.hot === m) return;
  state.hot = m;
  for (const each of document.querySelectorAll("[data-m]")) {
    each.classList.toggle("hot", m !== null && Number(each.dataset.m) === m);
    each.classList.toggle("dim", m !== null && Number(each.dataset.m) !== m);
  }
}

function drawBar() {
  const chip = (key, pressed, click, children, more = {}) =>
    el("button", { type: "button", class: "chip", "data-key": key, "aria-pressed": String(pressed), onclick: click, ...more }, children);
  const choose = category => () => { state.category = category; drawBar(); refresh(); };
  byId("categories").hidden = DATA.categories.length < 2;
  redraw(byId("categories"), chip("", state.category === "", choose(""), "All problems"),
    DATA.categories.map(each => chip(each, state.category === each, choose(each), capital(each))));
  const toggle = m => () => { if (!state.off.delete(m)) state.off.add(m); drawBar(); refresh(); };
  const all = off => () => { state.off = new Set(off ? DATA.methods.keys() : []); drawBar(); refresh(); };
  byId("methods").hidden = DATA.methods.length < 2;
  redraw(byId("methods"),
    el("span", { class: "all" }, el("button", { type: "button", class: "plain", "data-key": "all", onclick: all(false) }, "All"),
      el("button", { type: "button", class: "plain", "data-key": "none", onclick: all(true) }, "None")),
    DATA.methods.map((each, m) => chip(each.name, !state.off.has(m), toggle(m), [swatch(m), label(m)],
      { onpointerenter: () => setHot(m), onpointerleave: () => setHot(null), onfocus: () => setHot(m), onblur: () => setHot(null) })));
  leaveRoom();
}

// What is jumped to comes to lie below the bar.
function leaveRoom() {
  const bar = document.querySelector(".bar");
  document.documentElement.style.scrollPaddingTop = getComputedStyle(bar).position === "sticky" ? `${bar.offsetHeight}px` : "0";
}

// Light or dark: what the system says until the button says otherwise.
function drawTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = byId("theme");
  const isDark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`); };
  try { if (localStorage.lucioleTheme) document.documentElement.dataset.theme = localStorage.lucioleTheme; } catch { /* a browser that keeps nothing */ }
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.lucioleTheme = document.documentElement.dataset.theme; } catch { /* the choice holds for this visit */ }
    name();
  });
  system.addEventListener("change", name);
  name();
}
