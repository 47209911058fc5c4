// One problem: how methods converged on it, where their runs ended, and what the tests say.

function openProblem(p) {
  state.problem = p;
  drawProblem();
  byId("problems").scrollIntoView();
  byId("problem").focus({ preventScroll: true });
}

function drawProblem() {
  const p = state.problem, problem = DATA.problems[p], found = problem.statistics;
  const options = shownProblems();
  redraw(byId("problem"), options.map(each => el("option", { value: each, selected: each === p },
    `${DATA.problems[each].name} – ${DATA.problems[each].title}`)));
  byId("problem").value = String(p);
  byId("previous").disabled = options.indexOf(p) === 0;
  byId("next").disabled = options.indexOf(p) === options.length - 1;
  byId("problem-about").textContent = [problem.category, `${problem.variables} variable${problem.variables === 1 ? "" : "s"}`,
    problem.optimum === null ? "optimum unknown" : `optimum ${number(problem.optimum, 8).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")}`].join(" · ");
  drawConvergence(problem);
  drawErrors(problem);
  drawProblemTable(problem, found);
  for (const each of document.querySelectorAll("#thumbs button")) each.setAttribute("aria-pressed", String(Number(each.dataset.key) === p));
}

function empty(box, text) { box.replaceChildren(el("p", { class: "empty" }, text)); }

function drawConvergence(problem) {
  const box = byId("convergence"), methods = shownMethods();
  byId("convergence-caption").textContent = "";
  if (!problem.curves) return empty(box, "No traces were kept, or runs are missing.");
  if (!methods.length) return empty(box, "All methods are switched off.");
  lineChart(box, {
    x: problem.curves.x, name: `Convergence on ${problem.name}: median error against evaluations`, yTitle: "error", format: value => number(value, 4),
    series: methods.map(m => { const [low, y, high] = problem.curves.quartiles[m]; return { m, low, y, high }; }),
  });
  byId("convergence-caption").textContent = methods.length > 3 ? "Median over the runs; the quartiles of the one pointed at." : "Median and quartiles over the runs.";
}

function drawErrors(problem) {
  const box = byId("errors");
  const rows = shownMethods().filter(m => problem.runs[m]).map(m => ({ m, errors: problem.runs[m].error, runs: runsOf(problem, m) }));
  byId("errors-caption").textContent = "";
  if (!rows.length) return empty(box, state.off.size ? "All methods are switched off." : "No run is finished.");
  const middle = row => quantile([...row.errors].sort(compare), 0.5);
  rows.sort((a, b) => compare(middle(a), middle(b)));
  boxChart(box, rows, `Final errors on ${problem.name}, a row a method`);
  byId("errors-caption").textContent = "A dot a run; the box holds the middle half, its line the median.";
}

const problemSort = { key: "mean", down: false };

function drawProblemTable(problem, found) {
  const box = byId("problem-table");
  byId("problem-legend").textContent = "";
  if (!found) return empty(box, "Runs are missing, so there are no statistics.");
  const columns = { mean: "Mean", std: "Std", median: "Median", low: "Lowest", high: "Highest", infeasible: "Infeasible", dunn: "p (Dunn)", beats: "A12" };
  if (!found.infeasible.some(Boolean)) delete columns.infeasible;
  if (DATA.methods.length < 2) { delete columns.dunn; delete columns.beats; }
  const rows = shownMethods();
  const key = problemSort.key;
  if (key !== null) rows.sort((a, b) => (problemSort.down ? -1 : 1) * (key === "name" ? compare(DATA.methods[a].name, DATA.methods[b].name) : compare(found[key]?.[a], found[key]?.[b])));
  const plain = isPlain([found.mean, found.median].flat());
  const show = (column, m) => {
    const value = found[column][m];
    if (column === "infeasible") return String(value);
    if (column === "dunn") return m === found.leader ? "" : probability(value);
    if (column === "beats") return m === found.leader ? "" : `${value.toFixed(2)} ${magnitude(value)}`;
    return value === null && column === "std" ? "–" : tabular(value, plain);
  };
  const again = () => drawProblemTable(problem, found);
  redraw(box, el("table", { class: "data" },
    el("thead", {}, el("tr", {}, sorter("name", "Method", problemSort, again, { class: "name" }),
      Object.entries(columns).map(([column, text]) => sorter(column, text, problemSort, again, { class: "figure" })))),
    el("tbody", {}, rows.map(m => el("tr", { "data-m": m, class: found.similar[m] ? "similar" : null },
      el("th", { scope: "row", class: "name" }, swatch(m), label(m), found.best[m] ? el("span", { class: "star" }, "★") : null),
      Object.keys(columns).map(column => el("td", { class: "figure" }, show(column, m))))))));
  if (DATA.methods.length > 1) {
    byId("problem-legend").replaceChildren(`Kruskal–Wallis: p ${found.p < 0.001 ? "< 0.001" : `= ${found.p.toFixed(3)}`}. `,
      "Bold: cannot be told from the best. p (Dunn) and A12 are against ", label(found.leader), ".");
  }
}

// Vargha and Delaney's words for it.
function magnitude(a12) {
  const away = Math.max(a12, 1 - a12);
  return away >= 0.71 ? "large" : away >= 0.64 ? "medium" : away >= 0.56 ? "small" : "negligible";
}

// A small picture of each problem, to choose by.
function drawThumbs() {
  const methods = shownMethods(), groups = new Map();
  for (const p of shownProblems()) groups.set(DATA.problems[p].category, [...(groups.get(DATA.problems[p].category) || []), p]);
  redraw(byId("thumbs"), [...groups].map(([category, problems]) => el("div", { class: "thumb-group" }, el("h4", {}, capital(category)),
    el("div", { class: "thumb-list" }, problems.map(p => el("button", {
      type: "button", class: "thumb", "data-key": p, "aria-pressed": String(p === state.problem), title: DATA.problems[p].title, onclick: () => openProblem(p),
    }, thumb(DATA.problems[p], methods), el("span", {}, DATA.problems[p].name)))))));
}

function thumb(problem, methods) {
  const width = 112, height = 56;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  if (!problem.curves || !methods.length) return picture;
  const x = evaluationScale(problem.curves.x, 2, width - 2);
  const y = makeScale(methods.flatMap(m => problem.curves.quartiles[m][1]), height - 3, 3);
  const kept = problem.curves.x.map((_, i) => i).filter(i => i % 3 === 0 || i === problem.curves.x.length - 1);
  const xs = kept.map(i => x.at(problem.curves.x[i]));
  for (const m of methods) {
    const line = problem.curves.quartiles[m][1];
    picture.append(svg("path", { class: "line", "data-m": m, stroke: colour(m), d: pathOf(xs, kept.map(i => line[i] === null ? null : y.at(line[i]))) }));
  }
  return picture;
}

function drawTargets() {
  const ecdf = DATA.ecdf, methods = shownMethods();
  const part = ecdf?.parts[state.category];
  byId("targets-intro").textContent = "How large a part of all targets the runs had reached after so many evaluations. The targets of a problem are errors with equal ratios, "
    + "from what half of the runs have at their first evaluation down to the best that any run found (no less than 10⁻⁸). Higher and further to the left is better.";
  if (!part) return empty(byId("ecdf"), "No traces were kept, or runs are missing.");
  if (!methods.length) return empty(byId("ecdf"), "All methods are switched off.");
  lineChart(byId("ecdf"), { x: ecdf.x, fraction: true, name: "Part of targets reached against evaluations", yTitle: "targets reached",
    format: value => `${(100 * value).toFixed(1)} %`, series: methods.map(m => ({ m, y: part[m] })) });
}
