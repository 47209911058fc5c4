// Where runs ended: a row a method with the box of its quartiles and a dot a run; and the diagram of mean ranks.

function quantile(sorted, part) {
  const place = part * (sorted.length - 1), low = Math.floor(place), high = Math.ceil(place);
  if (sorted[low] === null || sorted[high] === null) return null;
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

// rows: [{m, errors, runs}], drawn in this order; an error of null is infinite.
function boxChart(box, rows, name) {
  const width = Math.max(box.clientWidth, 260);
  const step = 26, longest = Math.max(...rows.map(each => labelLength(each.m)), 4);
  const infinite = rows.some(each => each.errors.includes(null));
  const margin = { left: Math.min(14 + 7 * longest, 0.4 * width), right: infinite ? 40 : 16, top: 8, bottom: 40 };
  const height = margin.top + step * rows.length + margin.bottom;
  const scale = makeScale(rows.flatMap(each => each.errors), margin.left + 6, width - margin.right - 6);
  const edge = width - 16;
  const at = value => value === null ? edge : scale.at(value);
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  let free = 0;
  for (const tick of scale.ticks) {
    const x = scale.at(tick.value);
    picture.append(svg("line", { class: "grid", x1: x, x2: x, y1: margin.top, y2: height - margin.bottom }));
    const half = 3.4 * tick.text.length;
    if (x - half < free) continue; // no room for this number
    free = x + half + 6;
    picture.append(svg("text", { class: "tick", x, y: height - margin.bottom + 17, "text-anchor": "middle" }, tick.text));
  }
  if (infinite) picture.append(svg("text", { class: "tick", x: edge, y: height - margin.bottom + 17, "text-anchor": "middle" }, "∞"));
  picture.append(svg("text", { class: "title", x: (margin.left + width - margin.right) / 2, y: height - 4, "text-anchor": "middle" }, "error"));
  const tip = el("div", { class: "tip" });
  rows.forEach((row, n) => {
    const y = margin.top + step * (n + 0.5);
    const sorted = [...row.errors].sort(compare);
    const group = svg("g", { class: "row", "data-m": row.m, onpointerenter: () => setHot(row.m), onpointerleave: () => setHot(null) });
    group.append(svg("rect", { class: "reach", x: 0, y: y - step / 2, width, height: step }));
    group.append(labelText(row.m, { class: "row-name", x: margin.left - 6, y, dy: "0.32em", "text-anchor": "end" }));
    const [low, middle, high] = [0.25, 0.5, 0.75].map(each => quantile(sorted, each));
    if (low !== null && sorted.length > 1) {
      group.append(svg("rect", { class: "box", x: at(low), y: y - 7, width: Math.max(at(high) - at(low), 1), height: 14, rx: 2, fill: colour(row.m), stroke: colour(row.m) }));
    }
    row.errors.forEach((error, i) => {
      const dot = svg("circle", { class: "dot", cx: at(error).toFixed(1), cy: (y + 5 * Math.sin(12.9898 * (i + 1))).toFixed(1), r: 2.4, fill: colour(row.m) });
      dot.addEventListener("pointerenter", () => {
        tip.replaceChildren(el("p", {}, label(row.m), `, run ${row.runs[i].repetition}`), el("p", {}, `error ${number(error, 5)}`), el("p", { class: "soft" }, `seed ${row.runs[i].seed}`));
        tip.classList.add("shown");
        tip.style.top = `${y + 14}px`;
        placeTip(tip, box, at(error) - 14);
      });
      dot.addEventListener("pointerleave", () => tip.classList.remove("shown"));
      group.append(dot);
    });
    if (middle !== null) group.append(svg("line", { class: "median", x1: at(middle), x2: at(middle), y1: y - 9, y2: y + 9 }));
    picture.append(group);
  });
  box.replaceChildren(picture, tip);
}

// A critical-difference diagram: methods at their mean ranks, joined by bars where they cannot be told apart.
function rankDiagram(box, ranking, name) {
  const ranks = ranking.ranks, k = ranks.length;
  const order = ranks.map((_, i) => i).sort((a, b) => ranks[a] - ranks[b]);
  const half = Math.ceil(k / 2), width = Math.max(box.clientWidth, 260);
  const side = Math.min(54 + 8 * Math.max(...order.map(labelLength)), 0.38 * width);
  const from = side, to = width - side, top = 56;
  const at = rank => from + (to - from) * (rank - 1) / (k - 1);
  const bars = ranking.groups.length, below = top + 12 + 9 * bars, step = 21;
  const height = below + step * half + 8;
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  picture.append(svg("line", { class: "axis", x1: from, x2: to, y1: top, y2: top }));
  const every = Math.ceil(18 * (k - 1) / (to - from));
  for (let rank = 1; rank <= k; rank++) {
    picture.append(svg("line", { class: "axis", x1: at(rank), x2: at(rank), y1: top - 6, y2: top }));
    if ((rank - 1) % every === 0) picture.append(svg("text", { class: "tick", x: at(rank), y: top - 11, "text-anchor": "middle" }, rank));
  }
  if (ranking.difference !== null && ranking.difference <= k - 1) {
    const end = at(1 + ranking.difference);
    picture.append(svg("path", { class: "difference", d: `M${from} 10V18M${from} 14H${end}M${end} 10V18` }),
      svg("text", { class: "tick", x: end + 8, y: 14, dy: "0.32em" }, `critical difference ${ranking.difference.toFixed(2)}`));
  }
  order.forEach((m, n) => {
    const left = n < half, x = at(ranks[m]), row = left ? n : k - 1 - n, y = below + step * (row + 0.5);
    const end = left ? from - 6 : to + 6, sign = left ? -1 : 1;
    picture.append(svg("g", { "data-m": m, class: "rank", onpointerenter: () => setHot(m), onpointerleave: () => setHot(null) },
      svg("path", { class: "stem", d: `M${x} ${top}V${y}H${end}`, stroke: colour(m) }),
      svg("circle", { cx: x, cy: top, r: 3.5, fill: colour(m) }),
      svg("text", { class: "rank-value", x: end + sign * 5, y, dy: "0.32em", "text-anchor": left ? "end" : "start" }, ranking.written[m]),
      labelText(m, { class: "row-name", x: end + sign * 43, y, dy: "0.32em", "text-anchor": left ? "end" : "start" })));
  });
  ranking.groups.forEach((group, n) => {
    const places = group.map(m => at(ranks[m])), y = top + 9 + 9 * n;
    picture.append(svg("line", { class: "alike", x1: Math.min(...places) - 4, x2: Math.max(...places) + 4, y1: y, y2: y }));
  });
  box.replaceChildren(picture);
}
