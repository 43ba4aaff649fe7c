// SPDX-License-Identifier: GPL-3.0-or-later
// What is in view, kept in the fragment of the address: a link restores it, and the back button goes back.

const FIELDS = {
  view: 'terms',
  run: 0,
  term: [],
  instance: null,
  other: null,
  beside: null,
  q: '',
  sort: '',
  ns: '',
  toward: '',
  least: 1,
  scope: 'top',
  cap: 0,
  colour: 'contribution',
  class: '',
  lay: 'top',
  lines: '',
  open: [],
  shut: [],
  list: '',
  of: '',
  as: '',
  find: '',
  by: '',
  kept: '',
};
const TERMS = ['term', 'open', 'shut'], INSTANCES = ['instance', 'other'], NUMBERS = ['run', 'beside', 'least', 'cap'];

export function createState(data, changed) {
  const fields = {...FIELDS, view: data.pu ? 'instances' : FIELDS.view}, state = {...fields};

  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const [name, normal] of Object.entries(fields)) {
      const texts = given.getAll(name);
      if (TERMS.includes(name))
        state[name] = texts.map(id => data.termOf.get(id)).filter(t => t !== undefined);
      else if (texts.length === 0)
        state[name] = normal;
      else if (INSTANCES.includes(name))
        state[name] = data.instanceOf.get(texts[0]) ?? null;
      else if (NUMBERS.includes(name))
        state[name] = Number.isFinite(Number(texts[0])) ? Math.max(0, Math.floor(Number(texts[0]))) : normal;
      else
        state[name] = texts[0];
    }
    if (state.run >= data.runs.length) state.run = 0;
    if (state.beside !== null && (state.beside >= data.runs.length || state.beside === state.run)) state.beside = null;
    if (!['terms', 'instances', 'model', 'about'].includes(state.view)) state.view = fields.view;
  }

  function fragment() {
    const text = new URLSearchParams();
    for (const [name, normal] of Object.entries(fields)) {
      const value = state[name];
      if (TERMS.includes(name))
        value.forEach(t => text.append(name, data.ids[t]));
      else if (value === null || value === normal)
        continue;
      else
        text.set(name, INSTANCES.includes(name) ? data.instance.keys[value] : String(value));
    }
    return '#' + text.toString();
  }

  // A step that the back button takes back, unless it is only another letter of a search.
  state.set = (changes, step = true) => {
    Object.assign(state, changes);
    const target = fragment();
    if (target !== (location.hash || '#')) history[step ? 'pushState' : 'replaceState'](null, '', target);
    changed();
  };
  addEventListener('popstate', () => {
    read();
    changed();
  });
  read();
  return state;
}
