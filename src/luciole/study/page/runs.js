// Every run: a table that is searched, sorted and turned page by page, made when it is first looked at.

const RUNS_A_PAGE = 50;
const runSort = { key: null, down: false };
const runView = { words: "", page: 0 };
let everyRun = null;

function runsOf(problem, m) {
  const cell = problem.runs[m];
  const at = (values, i) => Array.isArray(values) ? values[i] : values;
  return cell.seed.map((seed, i) => {
    const repetition = cell.repetition ? cell.repetition[i] : i;
    return {
      problem: problem.name, m, method: DATA.methods[m].name, category: problem.category, repetition, seed,
      error: cell.error[i], value: cell.value[i], violation: cell.violation ? cell.violation[i] : 0, evaluations: at(cell.evaluations, i),
      seconds: cell.seconds[i], command: at(cell.command, i).replaceAll("\0", seed).replace("\u0001", repetition),
    };
  });
}

function allRuns() {
  everyRun ??= DATA.problems.flatMap(problem => DATA.methods.flatMap((_, m) => problem.runs[m] ? runsOf(problem, m) : []));
  return everyRun;
}

// Each word must be the name of a problem or method, or if it is none, part of a name or seed.
function matcher(text) {
  const names = new Set([...DATA.problems, ...DATA.methods].map(each => each.name.toLowerCase()));
  const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(word => names.has(word)
    ? run => run.problem.toLowerCase() === word || run.method.toLowerCase() === word
    : run => run.problem.toLowerCase().includes(word) || run.method.toLowerCase().includes(word) || run.seed.includes(word));
  return run => tests.every(test => test(run));
}

function drawRuns() {
  const matches = matcher(runView.words);
  const rows = allRuns().filter(run => !state.off.has(run.m) && (!state.category || run.category === state.category) && matches(run));
  const key = runSort.key;
  if (key === "seed") rows.sort((a, b) => (runSort.down ? -1 : 1) * (a.seed.length - b.seed.length || (a.seed < b.seed ? -1 : 1)));
  else if (key !== null) rows.sort((a, b) => (runSort.down ? -1 : 1) * compare(a[key], b[key]));
  const pages = Math.max(1, Math.ceil(rows.length / RUNS_A_PAGE));
  runView.page = Math.min(runView.page, pages - 1);
  const start = runView.page * RUNS_A_PAGE, page = rows.slice(start, start + RUNS_A_PAGE);
  byId("run-count").textContent = `${whole(rows.length)} of ${whole(allRuns().length)} runs`;
  const again = () => { runView.page = 0; drawRuns(); };
  const columns = [["problem", "Problem", "name"], ["method", "Method", ""], ["repetition", "Run", "figure"], ["seed", "Seed", "figure"], ["error", "Error", "figure"],
    ["value", "Value", "figure"], ["evaluations", "Evaluations", "figure"], ["seconds", "Seconds", "figure"]];
  const infeasible = page.some(run => run.violation !== 0);
  redraw(byId("run-table"), el("table", { class: "data runs" },
    el("thead", {}, el("tr", {}, columns.map(([name, text, kind]) => sorter(name, text, runSort, again, { class: kind })),
      infeasible && el("th", { scope: "col", class: "figure" }, "Violation"), el("th", { scope: "col" }, "Command"))),
    el("tbody", {}, page.map(run => el("tr", {},
      el("th", { scope: "row", class: "name" }, run.problem), el("td", {}, label(run.m)), el("td", { class: "figure" }, run.repetition),
      el("td", { class: "figure mono" }, run.seed), el("td", { class: "figure", title: run.error ?? "infinite" }, tabular(run.error, false)),
      el("td", { class: "figure" }, run.value === null ? "–" : number(run.value, 7)), el("td", { class: "figure" }, whole(run.evaluations)),
      el("td", { class: "figure" }, run.seconds === null ? "–" : run.seconds.toFixed(2)),
      infeasible && el("td", { class: "figure" }, run.violation === 0 ? "" : tabular(run.violation, false)),
      el("td", { class: "command" }, copyButton(run.command), el("code", { title: run.command }, run.command)))))));
  drawPager(pages, rows.length, start, page.length);
}

function drawPager(pages, total, start, count) {
  const turn = by => () => { runView.page += by; drawRuns(); };
  redraw(byId("run-pager"), pages > 1 && [
    el("button", { type: "button", class: "step", "data-key": "back", "aria-label": "Previous page", "aria-disabled": String(runView.page === 0), onclick: () => runView.page > 0 && turn(-1)() }, "←"),
    el("span", {}, `${whole(start + 1)}–${whole(start + count)} of ${whole(total)}`),
    el("button", { type: "button", class: "step", "data-key": "on", "aria-label": "Next page", "aria-disabled": String(runView.page === pages - 1), onclick: () => runView.page < pages - 1 && turn(1)() }, "→"),
  ]);
}

function copyButton(command) {
  return el("button", {
    type: "button", class: "plain copy", "aria-label": `Copy the command ${command}`,
    onclick: async event => {
      const button = event.currentTarget;
      const done = await copy(command);
      button.textContent = done ? "Copied" : "Failed";
      say(done ? "Command copied." : "The command could not be copied.");
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    },
  }, "Copy");
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // pages opened from a file may not have the clipboard
    const area = el("textarea", { class: "hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function drawFailures() {
  byId("failure-table").replaceChildren(el("table", { class: "data" },
    el("thead", {}, el("tr", {}, ["Problem", "Method", "Run", "Seed", "What happened", "Command"].map(each => el("th", { scope: "col" }, each)))),
    el("tbody", {}, DATA.failures.map(([problem, method, repetition, seed, message, command]) => el("tr", {},
      el("th", { scope: "row", class: "name" }, problem), el("td", {}, method), el("td", { class: "figure" }, repetition), el("td", { class: "figure mono" }, seed),
      el("td", { class: "message" }, message), el("td", { class: "command" }, copyButton(command), el("code", { title: command }, command)))))));
}
