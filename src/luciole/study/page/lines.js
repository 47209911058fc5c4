// Curves against evaluations, with a guide line and a list of values under the pointer or the arrow keys.

function axes(width, height, margin, x, y, xTitle, yTitle) {
  const parts = [];
  for (const tick of y.ticks) {
    const at = y.at(tick.value);
    parts.push(svg("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: at, y2: at }),
      svg("text", { class: "tick", x: margin.left - 8, y: at, dy: "0.32em", "text-anchor": "end" }, tick.text));
  }
  for (const tick of x.ticks) {
    const at = x.at(tick.value);
    parts.push(svg("line", { class: "grid", x1: at, x2: at, y1: margin.top, y2: height - margin.bottom }),
      svg("text", { class: "tick", x: at, y: height - margin.bottom + 17, "text-anchor": "middle" }, tick.text));
  }
  parts.push(svg("text", { class: "title", x: (margin.left + width - margin.right) / 2, y: height - 4, "text-anchor": "middle" }, xTitle));
  if (yTitle) parts.push(svg("text", { class: "title", x: 0, y: 11 }, yTitle));
  return parts;
}

function pathOf(xs, ys) {
  let text = "", pen = false;
  for (let i = 0; i < xs.length; i++) {
    if (ys[i] === null) { pen = false; continue; }
    text += `${pen ? "L" : "M"}${xs[i].toFixed(1)} ${ys[i].toFixed(1)}`;
    pen = true;
  }
  return text;
}

// spec: x, series [{m, y, low, high}], fraction, name, yTitle, format.
function lineChart(box, spec) {
  const width = Math.max(box.clientWidth, 260), roomy = width > 560;
  const height = Math.round(Math.min(Math.max(width * 0.62, 280), 420));
  const names = roomy ? 20 + 6.6 * Math.max(...spec.series.map(each => labelLength(each.m)), 0) : 14;
  const margin = { left: 56, right: names, top: 24, bottom: 40 };
  const x = evaluationScale(spec.x, margin.left, width - margin.right);
  const range = [height - margin.bottom, margin.top];
  const y = spec.fraction ? fractionScale(...range) : makeScale(spec.series.flatMap(each => each.y), ...range);
  const xs = spec.x.map(each => x.at(each));
  const up = values => values.map(each => each === null ? null : Math.min(Math.max(y.at(each), margin.top), height - margin.bottom));
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: "img", "aria-label": spec.name },
    axes(width, height, margin, x, y, "evaluations", spec.yTitle));
  const heights = spec.series.map(each => up(each.y));
  spec.series.forEach((each, i) => {
    if (each.low) {
      const known = each.y.map((_, j) => j).filter(j => each.low[j] !== null && each.high[j] !== null);
      const edge = pathOf([...known, ...known.slice().reverse()].map(j => xs[j]),
        [...up(known.map(j => each.low[j])), ...up(known.map(j => each.high[j])).reverse()]);
      picture.append(svg("path", { class: `band${spec.series.length <= 3 ? " always" : ""}`, "data-m": each.m, d: edge, fill: colour(each.m) }));
    }
    picture.append(svg("path", { class: "line", "data-m": each.m, d: pathOf(xs, heights[i]), stroke: colour(each.m), "stroke-dasharray": dashes(each.m) }));
  });
  if (roomy) nameLines(picture, spec, heights, width - margin.right, [margin.top, height - margin.bottom]);
  const guide = svg("g", { class: "guide" });
  picture.append(guide);
  const tip = el("div", { class: "tip" });
  box.replaceChildren(picture, tip);
  watch(box, picture, tip, guide, { ...spec, xs, heights, top: margin.top, bottom: height - margin.bottom, width });
}

// The name of each line at its end, moved apart where they would overlap.
function nameLines(picture, spec, heights, right, [top, bottom]) {
  const drawn = spec.series.map((_, i) => i).filter(i => heights[i].some(each => each !== null));
  const ends = drawn.map(i => heights[i].findLast(each => each !== null));
  const places = spread(ends, 15, top, bottom);
  drawn.forEach((i, n) => {
    const m = spec.series[i].m;
    picture.append(svg("path", { class: "leader", "data-m": m, d: `M${right + 1} ${ends[n]}L${right + 11} ${places[n]}`, stroke: colour(m) }),
      labelText(m, { class: "line-name", "data-m": m, x: right + 15, y: places[n], dy: "0.32em", onpointerenter: () => setHot(m), onpointerleave: () => setHot(null) }));
  });
}

function watch(box, picture, tip, guide, chart) {
  let index = null;
  const show = (next, nearest) => {
    index = next;
    guide.replaceChildren();
    tip.replaceChildren();
    tip.classList.toggle("shown", index !== null);
    if (index === null) {
      setHot(null);
      return null;
    }
    const at = chart.xs[index];
    guide.append(svg("line", { x1: at, x2: at, y1: chart.top, y2: chart.bottom }));
    const rows = chart.series.map((each, i) => ({ m: each.m, value: each.y[index], y: chart.heights[i][index] }))
      .filter(each => each.y !== null).sort((a, b) => a.y - b.y);
    if (!chart.fraction) rows.reverse();
    for (const each of rows) guide.append(svg("circle", { cx: at, cy: each.y, r: 3, fill: colour(each.m), "data-m": each.m }));
    tip.append(el("p", {}, `${whole(chart.x[index])} evaluations`),
      el("table", {}, el("tbody", {}, rows.map(each => el("tr", { class: each.m === nearest ? "near" : null },
        el("td", {}, swatch(each.m)), el("td", {}, label(each.m)), el("td", {}, chart.format(each.value)))))));
    placeTip(tip, box, at);
    setHot(nearest);
    return rows;
  };
  picture.addEventListener("pointermove", event => {
    const frame = picture.getBoundingClientRect();
    const px = event.clientX - frame.left, py = event.clientY - frame.top;
    if (px > chart.xs[chart.xs.length - 1] + 8) return;
    const next = closest(chart.xs, px);
    let nearest = null, gap = 24;
    chart.series.forEach((each, i) => {
      const away = Math.abs((chart.heights[i][next] ?? Infinity) - py);
      if (away < gap) [nearest, gap] = [each.m, away];
    });
    show(next, nearest);
  });
  picture.addEventListener("pointerleave", () => show(null, null));
  picture.addEventListener("blur", () => show(null, null));
  picture.addEventListener("keydown", event => {
    const last = chart.xs.length - 1, from = index ?? last;
    const moves = { ArrowLeft: Math.max(from - 1, 0), ArrowRight: index === null ? 0 : Math.min(from + 1, last), Home: 0, End: last, Escape: null };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const rows = show(moves[event.key], null);
    if (rows) say(`${whole(chart.x[index])} evaluations: ${rows.map(each => `${DATA.methods[each.m].name} ${chart.format(each.value)}`).join(", ")}`);
  });
}

function placeTip(tip, box, at) {
  const width = tip.offsetWidth, room = box.clientWidth;
  const left = at + 14 + width <= room ? at + 14 : at - 14 - width;
  tip.style.left = `${Math.max(0, Math.min(left, room - width))}px`;
}

function closest(sorted, value) {
  let low = 0, high = sorted.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle; else high = middle;
  }
  return value - sorted[low] < sorted[high] - value ? low : high;
}
