// Axes: from values to pixels, logarithmic where values span powers of ten, with a place of its own for zero.

function makeScale(values, from, to) {
  const known = values.filter(each => each !== null && each !== undefined && Number.isFinite(each));
  const positive = known.filter(each => each > 0);
  const low = Math.min(...known), high = Math.max(...known);
  const smallest = Math.max(Math.min(...positive), high * 1e-30);
  if (positive.length && low >= 0 && (high / smallest > 8 || low === 0)) return logScale(smallest, high, low === 0, from, to);
  return known.length ? linearScale(low, high, from, to) : linearScale(0, 1, from, to);
}

function logScale(smallest, high, hasZero, from, to) {
  let bottom = Math.log10(smallest), top = Math.log10(high);
  const margin = 0.03 * (top - bottom) || 0.3;
  bottom -= margin;
  top += margin;
  const zero = bottom - Math.max(0.08 * (top - bottom), 0.3);
  const start = hasZero ? zero : bottom;
  const at = value => from + (to - from) * ((value > 0 ? Math.max(Math.log10(value), bottom) : start) - start) / (top - start);
  const ticks = [];
  const step = Math.ceil((top - bottom) / 7), far = bottom < -4 || top > 5.5;
  for (let k = Math.floor(bottom); k <= top; k++) {
    const factors = top - bottom < 1.2 ? [1, 2, 3, 5, 7] : top - bottom < 2.5 ? [1, 2, 5] : [1];
    for (const factor of factors) {
      const place = k + Math.log10(factor);
      if (place >= bottom && place <= top && k % step === 0) ticks.push({ value: factor * 10 ** k, text: power(k, factor, far) });
    }
  }
  if (hasZero) ticks.unshift({ value: 0, text: "0" });
  return { at, ticks, log: true };
}

function linearScale(low, high, from, to) {
  if (low === high) { low -= Math.abs(low) * 0.05 || 0.5; high += Math.abs(high) * 0.05 || 0.5; }
  const margin = 0.04 * (high - low);
  const bottom = low - margin, top = high + margin;
  const rough = (top - bottom) / 5, unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * [1, 2, 5, 10].find(each => each * unit >= rough * 0.99);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = [];
  for (let k = Math.ceil(bottom / step); k * step <= top; k++) {
    const value = k * step, size = Math.max(Math.abs(top), Math.abs(bottom));
    const text = size >= 1e6 || size < 1e-4 ? number(value, 3)
      : minus(value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
    ticks.push({ value, text });
  }
  return { at: value => from + (to - from) * (value - bottom) / (top - bottom), ticks, log: false };
}

// Evaluations, always logarithmic and without margins.
function evaluationScale(x, from, to) {
  const bottom = Math.log10(x[0]), top = Math.log10(x[x.length - 1]);
  const ticks = [];
  const wide = to - from > 420;
  for (let k = Math.ceil(bottom - 1e-9); k <= top + 1e-9; k++) {
    ticks.push({ value: 10 ** k, text: power(k, 1, !wide && k > 3) });
  }
  return { at: value => top > bottom ? from + (to - from) * (Math.log10(value) - bottom) / (top - bottom) : (from + to) / 2, ticks };
}

function fractionScale(from, to) {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map(value => ({ value, text: `${Math.round(100 * value)} %` }));
  return { at: value => from + (to - from) * value, ticks };
}

// Places for labels that want to stand at `wanted` but need `gap` between them, within limits; in the same order.
function spread(wanted, gap, low, high) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const places = [...wanted];
  let last = low - gap;
  for (const i of order) { places[i] = Math.max(wanted[i], last + gap); last = places[i]; }
  last = high + gap;
  for (const i of order.reverse()) { places[i] = Math.min(places[i], last - gap); last = places[i]; }
  return places;
}
