// Who came first: mean ranks over the chosen problems, and the counts of best and similar.

const rankSort = { key: "rank", down: false };

function drawRanking() {
  const ranking = DATA.ranking[state.category];
  const among = state.category ? ` of category “${state.category}”` : "";
  byId("rank-caption").textContent = "";
  if (!ranking) {
    byId("ranking-intro").textContent = `No problem${among} has all of its runs.`;
    byId("rank-diagram").replaceChildren();
    byId("rank-table").replaceChildren();
    return;
  }
  const several = DATA.methods.length > 1, many = ranking.problems > 1;
  byId("ranking-intro").textContent = !several ? "A single method: there is nothing to rank it against."
    : `Mean rank over ${ranking.problems} problem${many ? "s" : ""}${among}; 1 is best.`
      + (many ? ` Friedman’s test: p ${ranking.p < 0.001 ? "< 0.001" : `= ${ranking.p.toFixed(3)}`}${ranking.p < 0.05 ? ", the methods differ." : ", no significant difference."}` : "");
  if (several) rankDiagram(byId("rank-diagram"), ranking, `Critical-difference diagram of mean ranks${among}`);
  else byId("rank-diagram").replaceChildren();
  if (several && ranking.groups.length) byId("rank-caption").textContent = "Methods joined by a bar cannot be told apart at the level 0.05 (Nemenyi).";
  drawRankTable(ranking);
}

function drawRankTable(ranking) {
  const k = DATA.methods.length;
  const categories = !state.category && DATA.categories.length > 1 ? DATA.categories.filter(each => DATA.ranking[each]) : [];
  const value = {
    name: m => DATA.methods[m].name, rank: m => ranking.ranks[m], best: m => ranking.best[m], similar: m => ranking.similar[m],
  };
  for (const each of categories) value[`in ${each}`] = m => DATA.ranking[each].ranks[m];
  const rows = shownMethods();
  if (rankSort.key && value[rankSort.key]) {
    const key = value[rankSort.key];
    rows.sort((a, b) => (rankSort.down ? -1 : 1) * compare(key(a), key(b)));
  }
  const head = (key, text, more, down) => sorter(key, text, rankSort, () => drawRankTable(ranking), more, down);
  const tint = rank => k > 1 ? `--tint:${(100 * (1 - (rank - 1) / (k - 1)) ** 2).toFixed(0)}%` : "";
  redraw(byId("rank-table"), el("table", { class: "data" },
    el("thead", {}, el("tr", {}, head("name", "Method", { class: "name" }), head("rank", "Mean rank", { class: "figure" }),
      head("best", "Best ★", { class: "figure" }, true), head("similar", "Similar", { class: "figure" }, true),
      categories.map(each => head(`in ${each}`, `Rank: ${each}`, { class: "figure" })))),
    el("tbody", {}, rows.map(m => el("tr", { "data-m": m },
      el("th", { scope: "row", class: "name" }, swatch(m), label(m)),
      el("td", { class: "figure ranked" }, el("span", { class: "meter", style: `--part:${(100 * (ranking.ranks[m] - 1) / Math.max(k - 1, 1)).toFixed(1)}%;--ink-here:${colour(m)}`, "aria-hidden": "true" }),
        ranking.written[m]),
      el("td", { class: "figure" }, ranking.best[m]), el("td", { class: "figure" }, ranking.similar[m]),
      categories.map(each => el("td", { class: "figure tinted", style: tint(DATA.ranking[each].ranks[m]) }, DATA.ranking[each].written[m])))))));
}
