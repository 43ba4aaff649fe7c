// SPDX-License-Identifier: GPL-3.0-or-later
// Tables sort by a click on a heading, and long ones can be filtered. Rows that sum up stay below.
'use strict';
const number = cell => {
  const found = cell.replace(/,/g, '').replace('\u2212', '-').match(/^[<*]?\s*([+-]?\d[\d.]*(?:e[+-]?\d+)?)/i);
  return found ? Number(found[1]) : NaN;
};
const text = row => cell => row.cells[cell].textContent.trim();
for (const table of document.querySelectorAll('table')) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  if (rows.length < 2) continue;
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      // Numbers from the highest down first, words from A; again: the other way round; nothing there comes last.
      const numeric = rows.some(row => !isNaN(number(text(row)(column))));
      const first = numeric && column ? 'descending' : 'ascending', other = numeric && column ? 'ascending' : 'descending';
      const order = head.getAttribute('aria-sort') === first ? other : first, sign = order === 'ascending' ? 1 : -1;
      heads.forEach(h => h.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', order);
      const key = row => numeric && column ? number(text(row)(column)) : text(row)(column);
      const compare = (a, b) => {
        const x = key(a), y = key(b), none = v => v === '' || v === '\u2013' || Number.isNaN(v);
        if (none(x) || none(y)) return none(x) - none(y);
        return sign * (typeof x === 'number' ? x - y : x.localeCompare(y, 'en', {numeric: true}));
      };
      body.append(...[...rows].sort(compare));
    });
  });
  if (rows.length < 8) continue;
  const field = document.createElement('input');
  field.type = 'search';
  field.placeholder = 'Filter rows';
  field.setAttribute('aria-label', 'Filter rows: ' + table.caption.textContent);
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
  });
  table.closest('.scroll').before(field);
}
