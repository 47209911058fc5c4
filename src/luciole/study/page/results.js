// The table of results: a row a problem, a column a method, in the paper's marks.

const MEASURES = { mean: "Mean ± std", median: "Median", low: "Best run", rank: "Rank" };
const resultSort = { key: null, down: false };
let measure = "mean", wanted = "";

function drawMeasures() {
  redraw(byId("measure"), Object.entries(MEASURES).map(([key, text]) => el("button", {
    type: "button", "data-key": key, "aria-pressed": String(measure === key),
    onclick: () => { measure = key; drawMeasures(); drawResults(); },
  }, text)));
}

function drawResults() {
  const methods = shownMethods();
  const words = wanted.toLowerCase();
  const problems = shownProblems().filter(p => `${DATA.problems[p].name} ${DATA.problems[p].title}`.toLowerCase().includes(words));
  const figure = (p, m) => DATA.problems[p].statistics?.[measure][m];
  const key = resultSort.key;
  if (key !== null) {
    const of = key === "problem" ? p => DATA.problems[p].name : p => figure(p, Number(key));
    problems.sort((a, b) => (resultSort.down ? -1 : 1) * compare(of(a), of(b)));
  }
  const grouped = key === null && new Set(problems.map(p => DATA.problems[p].category)).size > 1;
  const body = [];
  let last = null;
  for (const p of problems) {
    const problem = DATA.problems[p];
    if (grouped && problem.category !== last) {
      last = problem.category;
      body.push(el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: methods.length + 1 }, el("span", {}, capital(last)))));
    }
    body.push(resultRow(p, methods));
  }
  const table = el("table", { class: `data results${methods.length > 9 ? " crowded" : ""}` },
    el("thead", {}, el("tr", {}, sorter("problem", "Problem", resultSort, drawResults, { class: "name" }),
      methods.map(m => sorter(String(m), label(m), resultSort, drawResults, { class: "figure", "data-m": m })))),
    el("tbody", {}, body), countRows(methods, problems));
  redraw(byId("result-table"), problems.length ? table : el("p", { class: "empty" }, "No problem matches."));
  byId("result-legend").replaceChildren("★ lowest mean error; ", el("b", {}, "bold"), ": cannot be told from it; the darker the ground, the better the rank",
    measure === "mean" ? "; second line: standard deviation." : ".");
}

function resultRow(p, methods) {
  const problem = DATA.problems[p], found = problem.statistics;
  const head = el("th", { scope: "row", class: "name" },
    el("button", { type: "button", class: "open", "data-key": `open ${p}`, title: "Show this problem", onclick: () => openProblem(p) }, problem.name),
    el("span", { class: "soft", title: problem.title }, problem.title));
  if (!found) return el("tr", {}, head, el("td", { colspan: Math.max(methods.length, 1), class: "soft" }, "runs are missing"));
  const plain = isPlain(found[measure]);
  const k = DATA.methods.length;
  return el("tr", {}, head, methods.map(m => {
    const strength = k > 1 ? 100 * (1 - (found.rank[m] - 1) / (k - 1)) ** 2 : 0;
    const marks = [found.similar[m] && "similar", found.best[m] && "best"].filter(Boolean).join(" ");
    const value = measure === "rank" ? String(found.rank[m]) : tabular(found[measure][m], plain);
    return el("td", { class: `figure tinted ${marks}`, "data-m": m, style: `--tint:${strength.toFixed(0)}%`, title: details(found, m) },
      el("span", { class: "value" }, value, found.best[m] ? el("span", { class: "star" }, "★") : null),
      measure === "mean" && el("span", { class: "std" }, found.std[m] === null ? "–" : tabular(found.std[m], plain)));
  }));
}

function details(found, m) {
  const failed = found.infeasible[m] ? `, ${found.infeasible[m]} runs without a feasible point` : "";
  return `${DATA.methods[m].name}: mean ${number(found.mean[m])}, median ${number(found.median[m])}, from ${number(found.low[m])} to ${number(found.high[m])}${failed}`;
}

// The last rows of the paper's tables, over the problems that are shown.
function countRows(methods, problems) {
  const known = problems.map(p => DATA.problems[p].statistics).filter(Boolean);
  const row = (text, of) => el("tr", {}, el("th", { scope: "row", class: "name" }, text),
    methods.map(m => el("td", { class: "figure", "data-m": m }, known.reduce((sum, each) => sum + of(each, m), 0))));
  return el("tfoot", {}, row("Similar to the best", (each, m) => each.similar[m]), row("Best", (each, m) => each.best[m]));
}
