// SPDX-License-Identifier: GPL-3.0-or-later
// Elements, numbers and colours. Text goes into text nodes only, so that no name from the data is ever read as markup.

function build(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on'))
      element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'open')
      element[name] = value;
    else
      element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity)
                     .filter(child => child !== null && child !== undefined && child !== false)
                     .map(child => (child instanceof Node ? child : document.createTextNode(String(child)))));
  return element;
}

export const h = (tag, properties, ...children) => build(document.createElement(tag), properties, children);
// A name that is cut where it is long, to a line or to several; the whole is its tooltip.
export const brief = (text, properties) => text.length <= 24 ?
    h('span', properties, text) :
    h('span', {...properties, class: `cut ${properties?.class ?? ''}`, dir: 'auto', title: text}, text);
export const clamp = text => text.length <= 80 ? text : h('span', {class: 'clamp', dir: 'auto', title: text}, text);
// The name of a class, with its colour before it where classes have some.
export const classTag = (data, c) => h('span', {class: 'tag'},
  data.many && data.hues[c] !== null && data.hues[c] !== undefined && h('span', {class: 'swatch', 'aria-hidden': 'true', style: `background:var(--hue${data.hues[c]})`}),
  brief(data.className(c), data.many || c === null ? null : {class: c === data.positive ? 'for' : 'against'}));
export const svg = (tag, properties, ...children) =>
    build(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children);

export function fill(element, ...children) {
  element.replaceChildren();
  return build(element, null, children);
}

// Does work that rebuilds parts of the page, and restores the focus afterwards.
export function keepFocus(work) {
  const name = e => e.id || e.dataset.sort || e.dataset.term || e.getAttribute('aria-label') ||
      e.closest('label')?.firstChild.textContent || e.textContent;
  const had = document.activeElement, inside = had && had.closest('main');
  const like = inside ? name(had) : '', all = () => [...inside.querySelectorAll(had.tagName)].filter(e => name(e) === like);
  const place = inside ? all().indexOf(had) : -1;
  work();
  if (!inside || had.isConnected) return;
  const now = all(),
        next = now[Math.min(Math.max(place, 0), now.length - 1)] || (had.dataset.term && inside.querySelector('.node[tabindex="0"]'));
  if (next) next.focus({preventScroll: true});
}

// A choice of one among few, as a labelled <select>: options are [value, text].
export function choice(label, options, value, change, properties) {
  const select =
      h('select', {onchange: () => change(select.value), ...properties}, options.map(([key, text]) => h('option', {value: key}, text)));
  select.value = String(value);
  return h('label', {class: 'field'}, h('span', null, label), select);
}

export const toggle = (text, pressed, click, properties) =>
    h('button', {type: 'button', class: 'toggle', 'aria-pressed': String(pressed), onclick: click, ...properties}, text);

// ---- numbers ----

const whole = new Intl.NumberFormat('en-US');
export const count = value => (value === null || value === undefined ? '' : whole.format(value));

export function number(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '';
  const size = Math.abs(value);
  const text = size === 0        ? '0' :
      size >= 1e6 || size < 1e-4 ? size.toExponential(2) :
      size >= 100                ? size.toFixed(1) :
      size >= 10                 ? size.toFixed(2) :
      size >= 0.5 / 10 ** digits ? size.toFixed(digits) :
                                   size.toPrecision(1);
  return (value < 0 ? '\u2212' : '') + text;
}

export const signed = value => (value > 0 ? '+' : '') + number(value, 2);
export const percent = value => (value === null || value === undefined ? '' : (100 * value).toFixed(1) + ' %');
export const chance = p => (p === null || p === undefined ? '' : p < 0.0005 ? '< 0.1 %' : p >= 0.9995 ? '> 99.9 %' : percent(p));
export const plural = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

// ---- colours: those of the style sheet, as numbers, so that a drawing carries them with it when it is saved ----

const NAMES = ['ground', 'panel', 'ink', 'soft', 'line', 'for', 'against', 'chosen', 'meet', 'amount'];
export const HUES = 8;  // --hue0 and so on: classes that have a colour of their own

export function palette() {
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue('--' + name).trim();
  return {...Object.fromEntries(NAMES.map(name => [name, colour(name)])), hues: Array.from({length: HUES}, (_, i) => colour('hue' + i))};
}

function mix(from, to, part) {
  const channels = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
  const a = channels(from), b = channels(to);
  return '#' + a.map((v, i) => Math.round(v + (b[i] - v) * part).toString(16).padStart(2, '0')).join('');
}

// The fill of a node or bar: value from -1 to 1 (against, for) or from 0 to 1 (amount, or a class by its hue).
export function tint(colours, value, diverging, hue) {
  if (value === null || value === undefined || hue === null) return colours.panel;
  const part = Math.min(1, Math.abs(value));
  const end = hue !== undefined ? colours.hues[hue] : !diverging ? colours.amount : value < 0 ? colours.against : colours.for;
  return mix(colours.panel, end, part === 0 ? 0 : 0.1 + 0.5 * part);
}

// ---- text in drawings ----

export const FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";
const measuring = document.createElement('canvas').getContext('2d');

export function textWidth(text, size, strong) {
  measuring.font = `${strong ? 600 : 400} ${size}px ${FONT}`;
  return measuring.measureText(text).width;
}

// The longest start of the text that is not wider than `width`, with an ellipsis where something is left out.
export function shorten(text, size, width) {
  if (textWidth(text, size) <= width) return text;
  let from = 0, to = text.length;
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (textWidth(text.slice(0, middle) + '\u2026', size) <= width)
      from = middle;
    else
      to = middle - 1;
  }
  return text.slice(0, from).trimEnd() + '\u2026';
}

export function wrap(text, size, width, most) {
  const lines = [], words = text.match(/[^\s\-_/,]*[-_/,]+\s*|[^\s\-_/,]+\s*/g) || [text];
  let line = '';
  words.forEach((word, i) => {
    if (line === '' || lines.length === most - 1 || textWidth((line + word).trimEnd(), size) <= width)
      line += word;
    else {
      lines.push(line);
      line = word;
    }
    if (i === words.length - 1) lines.push(line);
  });
  return lines.map(l => shorten(l.trim(), size, width));
}
