// Elements, numbers and names: what everything else is made of. Text always enters the page as text, never as markup.

const DATA = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

function byId(id) { return document.getElementById(id); }

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(each => each !== null && each !== undefined && each !== false));
  return node;
}

function el(tag, attributes, ...children) { return fill(document.createElement(tag), attributes, children); }

function svg(tag, attributes, ...children) { return fill(document.createElementNS(SVG, tag), attributes, children); }

const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

function minus(text) { return text.replace(/-/g, "−"); }

function whole(number) { return minus(Math.round(number).toLocaleString("en-US")); }

// A number in a sentence or a tooltip: 11,930 or 1.193·10⁻⁷; null stands for infinity.
function number(value, digits = 4) {
  if (value === null || value === undefined) return "∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) {
    if (size >= 10 ** (digits - 1)) return whole(value);
    return minus(value.toLocaleString("en-US", { minimumSignificantDigits: digits, maximumSignificantDigits: digits }));
  }
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${minus(mantissa)}·10${[...String(Number(exponent))].map(each => SUPERSCRIPT[each]).join("")}`;
}

// A power of ten on an axis: written out, or where the axis goes far, as 10⁶.
function power(exponent, factor = 1, far = false) {
  const value = factor * 10 ** exponent;
  if (!far || exponent === 0 || exponent === 1) return exponent >= 3 ? whole(value) : String(Number(value.toPrecision(2)));
  const text = `10${[...String(exponent)].map(each => SUPERSCRIPT[each]).join("")}`;
  return factor === 1 ? text : `${factor}·${text}`;
}

// A number in a table, all of a row in the same form: plain if they are of ordinary size, else with an exponent of its own width.
function tabular(value, plain) {
  if (value === null || value === undefined) return document.createTextNode("∞");
  if (value === 0) return document.createTextNode("0");
  if (plain) return document.createTextNode(number(value));
  const [mantissa, exponent] = value.toExponential(2).split("e");
  const power = Number(exponent);
  const width = String(Math.abs(power)).padStart(2, "0");
  return el("span", {}, minus(mantissa), el("span", { class: "exponent" }, `e${power < 0 ? "−" : "+"}${width}`));
}

function isPlain(values) {
  return values.every(each => each === null || each === 0 || (Math.abs(each) >= 1e-2 && Math.abs(each) < 1e6));
}

function probability(value) {
  if (value === null) return "–";
  return value < 0.001 ? "< 0.001" : value.toFixed(3);
}

// The name of a method, with what stands below and above its line.
function label(m) {
  const [stem, below, above] = DATA.methods[m].label;
  return el("span", { class: "method" }, stem, below && el("sub", {}, below), above && el("sup", {}, above));
}

function labelText(m, attributes) {
  const [stem, below, above] = DATA.methods[m].label;
  const small = "0.72em";
  return svg("text", attributes, stem,
    below && svg("tspan", { dy: "0.28em", "font-size": small }, below),
    above && svg("tspan", { dy: below ? "-0.75em" : "-0.45em", "font-size": small }, above));
}

function labelLength(m) {
  const [stem, below, above] = DATA.methods[m].label;
  return stem.length + 0.72 * (below.length + above.length);
}

// What tells a method from the others: one of seven colours, then the dashes of its line.
const DASHES = ["none", "7 3", "2 2.5", "9 3 2 3"];

function colour(m) { return `var(--series-${m % 7})`; }

function dashes(m) { return DASHES[Math.floor(m / 7) % DASHES.length]; }

function swatch(m) {
  return svg("svg", { class: "swatch", width: 22, height: 10, viewBox: "0 0 22 10", "aria-hidden": "true" },
    svg("line", { x1: 1, x2: 21, y1: 5, y2: 5, stroke: colour(m), "stroke-width": 2.5, "stroke-dasharray": dashes(m) }));
}

function capital(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

function say(text) { byId("said").textContent = text; }

// Redraw a part of the page and give the focus back to the button that had it.
function redraw(container, ...children) {
  const key = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  container.replaceChildren(...children.flat().filter(Boolean));
  if (key !== undefined) container.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

// A header cell that sorts: `sort` is {key, down} and changed in place.
function sorter(key, text, sort, changed, attributes = {}, startDown = false) {
  const on = sort.key === key;
  return el("th", { scope: "col", ...attributes, "aria-sort": on ? (sort.down ? "descending" : "ascending") : "none" },
    el("button", {
      type: "button", "data-key": key,
      onclick: () => {
        if (!on) Object.assign(sort, { key, down: startDown });
        else if (sort.down === startDown) sort.down = !startDown;
        else Object.assign(sort, { key: null, down: false });
        changed();
      },
    }, text, el("span", { class: "arrow", "aria-hidden": "true" }, on ? (sort.down ? "▾" : "▴") : "")));
}

const natural = new Intl.Collator("en", { numeric: true });

// Infinity, which travels as null, comes last.
function compare(a, b) {
  if (typeof a === "string" && typeof b === "string") return natural.compare(a, b);
  return (a ?? Infinity) === (b ?? Infinity) ? 0 : (a ?? Infinity) - (b ?? Infinity);
}
