// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of horizontal bars: contributions that add up from the baseline to the prediction, and strengths of terms on both sides of 0.
import {FONT, palette, shorten, svg, textWidth} from './dom.js';

const ROW = 22, SIZE = 12;

function ticks(low, high, most) {
  const span = high - low || 1, raw = span / most, unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(k => k * unit).find(s => s >= raw);
  const found = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) found.push(Math.abs(v) < step * 1e-9 ? 0 : v);
  return found;
}

// rows: {label, from, to, error, text, kind: 'sum' for totals, click, title}. range: [low, high] and nameWidth: common to charts that are compared.
export function bars(label, rows, width, range, nameWidth) {
  const colours = palette();
  const [low, high] = range || extent(rows);
  const names = nameWidth || Math.min(Math.max(...rows.map(row => textWidth(row.label, SIZE, row.kind === 'sum')), 40) + 10, width * 0.44);
  const values = Math.max(...rows.map(row => textWidth(row.text, SIZE, row.kind === 'sum'))) + 8;
  const room = Math.max(40, width - names - values - 4), height = rows.length * ROW + 22;
  const x = value => names + (value - low) / (high - low || 1) * room;
  const inner = svg(
      'g', null,
      ticks(low, high, Math.max(2, Math.floor(room / 45)))
          .map(
              v =>
                  [svg('line',
                       {x1: x(v), x2: x(v), y1: 0, y2: rows.length * ROW + 4, stroke: colours.line, 'stroke-width': v === 0 ? 1.5 : 0.75}),
                   svg('text', {x: x(v), y: height - 5, 'text-anchor': 'middle', 'font-size': 10, fill: colours.soft},
                       String(Number(v.toPrecision(6))).replace('-', '\u2212'))]),
      rows.map((row, i) => {
        const y = i * ROW, left = Math.min(row.from, row.to),
              colour = row.kind === 'sum' ? colours.soft :
            row.to < row.from             ? colours.against :
                                            colours.for;
        return svg(
            'g', {
              class: row.click ? 'barrow' : null,
              role: row.click ? 'button' : null,
              tabindex: row.click ? 0 : null,
              'aria-label': row.click ? `${row.label}: ${row.text}` : null,
              onclick: row.click,
              onkeydown: row.click && (e => (e.key === 'Enter' || e.key === ' ') && (e.preventDefault(), row.click(e)))
            },
            svg('title', null, row.title || `${row.label}: ${row.text}`),
            svg('rect', {x: 0, y, width, height: ROW, fill: colours.ground, 'fill-opacity': 0}),
            svg('text', {
              x: names - 8,
              y: y + 15,
              'text-anchor': 'end',
              'font-size': SIZE,
              fill: colours.ink,
              'font-weight': row.kind === 'sum' ? 600 : null
            },
                shorten(row.label, SIZE, names - 10)),
            row.kind === 'sum' ?
                svg('line', {x1: x(row.to), x2: x(row.to), y1: y + 2, y2: y + ROW - 2, stroke: colours.ink, 'stroke-width': 3}) :
                svg('rect', {
                  x: x(left),
                  y: y + 4,
                  width: Math.max(1, x(Math.max(row.from, row.to)) - x(left)),
                  height: ROW - 8,
                  fill: colour,
                  rx: 1.5
                }),
            row.kind !== 'sum' && i + 1 < rows.length && row.chain &&
                svg('line', {x1: x(row.to), x2: x(row.to), y1: y + ROW - 4, y2: y + ROW + 4, stroke: colours.soft, 'stroke-width': 1}),
            row.error > 0 && svg('path', {
              class: 'error',
              d: `M${x(row.to - row.error)},${y + 8}v6m0,-3H${x(row.to + row.error)}m0,-3v6`,
              stroke: colours.ink,
              fill: 'none'
            }),
            svg('text', {
              x: width - 2,
              y: y + 15,
              'text-anchor': 'end',
              'font-size': SIZE,
              fill: colours.ink,
              'font-weight': row.kind === 'sum' ? 600 : null
            },
                row.text));
      }));
  const picture = svg(
      'svg', {class: 'chart', role: 'group', 'aria-label': label, viewBox: `0 0 ${width} ${height}`, width, height, 'font-family': FONT},
      inner);
  return {element: picture, picture: {inner, width, height, margin: 8}};
}

// Parts of a number in some unit need not be seen beside 0.
export function extent(rows, zero = true) {
  const ends =
      rows.flatMap(row => [row.from, row.to, row.error > 0 ? row.to - row.error : row.to, row.error > 0 ? row.to + row.error : row.to]);
  const low = Math.min(...(zero ? [0] : []), ...ends), high = Math.max(...(zero ? [0] : []), ...ends);
  return [low, high > low ? high : low + 1];
}
