// SPDX-License-Identifier: GPL-3.0-or-later
// A table that sorts and shows a page of its rows at a time, so that it is as fast for thousands of rows as for ten.
import {brief, count, fill, h, keepFocus, plural} from './dom.js';

// columns: {key, title, value(row), cell(row) (text or elements), numeric, down: sorted downwards at first}. One page: `size` rows.
// events: sort(key) with '-' in front for downwards; click(row); mark(row): true for chosen ones.
export function createTable(caption, events, size = 100) {
  const head = h('tr'), body = h('tbody'), pager = h('div', {class: 'pager'});
  const scroll =
      h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
        h('table', null, h('caption', {class: 'hidden'}, caption), h('thead', null, head), body));
  let rows = [], page = 0, columns = [], sort = '';

  function sorted() {
    const down = sort.startsWith('-'), column = columns.find(c => c.key === sort.replace(/^-/, ''));
    if (!column) return;
    const way = down ? -1 : 1, value = new Map(rows.map(row => [row, column.value(row)]));
    const missing = v => v === null || v === undefined || v === '';
    rows.sort((a, b) => {
      const x = value.get(a), y = value.get(b);
      if (missing(x) || missing(y)) return missing(x) - missing(y);
      return way * (typeof x === 'string' ? x.localeCompare(y, 'en', {sensitivity: 'base', numeric: true}) : x - y);
    });
  }

  function show() {
    const pages = Math.max(1, Math.ceil(rows.length / size));
    page = Math.min(page, pages - 1);
    fill(
        body, rows.slice(page * size, (page + 1) * size).map(row => {
          const chosen = events.mark && events.mark(row);
          return h(
              'tr', {
                class: [events.click && 'row', chosen && 'marked'].filter(Boolean).join(' ') || null,
                'aria-current': chosen ? 'true' : null,
                onclick: events.click && (e => !e.target.closest('input,button,a') && events.click(row, e))
              },
              columns.map(
                  (c, i) =>
                      h(i === (columns.first ?? 0) ? 'th' : 'td',
                        {class: c.numeric ? 'number' : c.class || null, scope: i === (columns.first ?? 0) ? 'row' : null}, c.cell(row))));
        }),
        rows.length === 0 && h('tr', null, h('td', {colspan: columns.length, class: 'none'}, 'Nothing to show.')));
    const go = to => () => {
      page = to;
      keepFocus(show);
      scroll.scrollTop = 0;
    };
    fill(pager, pages > 1 && [
      h('button', {type: 'button', disabled: page === 0, onclick: go(page - 1), 'aria-label': 'Previous page'}, '\u2039'),
      h('span', null, `${count(page * size + 1)} to ${count(Math.min(rows.length, (page + 1) * size))} of ${count(rows.length)}`),
      h('button', {type: 'button', disabled: page === pages - 1, onclick: go(page + 1), 'aria-label': 'Next page'}, '\u203a')
    ]);
  }

  return {
    element: h('div', {class: 'table'}, scroll, pager),
    rows: () => rows,
    update(newColumns, newRows, newSort) {
      const again = JSON.stringify(newRows) + newSort;
      if (again !== this.last) page = 0;
      this.last = again;
      [columns, rows, sort] = [newColumns, newRows, newSort];
      sorted();
      fill(head, columns.map(c => {
        const now = sort === c.key ? 'ascending' : sort === '-' + c.key ? 'descending' : 'none';
        return h(
            'th', {scope: 'col', class: c.numeric ? 'number' : c.class === 'tick' ? c.class : null, 'aria-sort': c.key ? now : null},
            c.key && events.sort ? h('button', {
              type: 'button',
              title: c.about || null,
              'data-sort': c.key,
              onclick: () => events.sort(
                  now === 'none'          ? (c.numeric ? '-' : '') + c.key :
                      now === 'ascending' ? '-' + c.key :
                                            c.key)
            },
                                     typeof c.title === 'string' ? brief(c.title) : c.title,
                                     h('span', {class: 'arrow', 'aria-hidden': 'true'},
                                       now === 'ascending'      ? ' \u25b2' :
                                           now === 'descending' ? ' \u25bc' :
                                                                  '')) :
                                   c.title);
      }));
      show();
    },
    // Brings a row into sight; false if it is not in the table.
    reveal(row) {
      const place = rows.indexOf(row);
      if (place < 0) return false;
      if (Math.floor(place / size) !== page) {
        page = Math.floor(place / size);
        show();
      }
      const line = body.children[place % size], top = line.offsetTop - scroll.scrollTop;
      const header = head.offsetHeight;
      if (top < header || top + line.offsetHeight > scroll.clientHeight) scroll.scrollTop = line.offsetTop - scroll.clientHeight / 3;
      return true;
    },
    said: (shown, all, one) => (shown === all ? plural(all, one) : `${count(shown)} of ${plural(all, one)}`),
  };
}
