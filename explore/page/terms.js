// SPDX-License-Identifier: GPL-3.0-or-later
// The view of terms: a table and the hierarchy, linked both ways.
import {colourChoices, colouring} from './colour.js';
import {brief, choice, clamp, classTag, count, fill, h, number, percent, plural, signed, toggle} from './dom.js';
import {csv} from './export.js';
import {ancestors, drawn, meeting, pick} from './graph.js';
import {createHierarchy} from './hierarchy.js';
import {createTable} from './table.js';

const STEP = 60, CAPS = [60, 45, 32, 22, 15];

export function createTerms({data, state, run, say, chooseTerm, openTerms, foldTerm}) {
  const toolbar = h('div', {class: 'tools'}), found = h('p', {class: 'found', role: 'status'}), above = h('div', {class: 'tools'});
  const drawnNote = h('p', {class: 'found'}), facts = h('section', {class: 'facts', 'aria-label': 'Chosen terms'});
  const search = h('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Name or identifier',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => state.set({q: search.value}, false)
  });
  const table = createTable('Terms', {
    sort: sort => state.set({sort}, false),
    click: chooseRow,
    mark: t => state.term.includes(t),
  });
  const map = createHierarchy(
      'Hierarchy of terms. Arrow keys move, Enter chooses, Space adds to the chosen, C collapses, O shows the terms left out above.', {
        choose: chooseTerm,
        open: openTerms,
        shut: foldTerm,
      });
  const element =
      h('div', {class: 'panes'}, h('section', {class: 'pane', 'aria-label': 'Table of terms'}, toolbar, found, table.element),
        h('section', {class: 'pane', 'aria-label': 'Hierarchy'}, above, drawnNote, map.element, facts));
  let last = {};

  function chooseRow(t, e) {
    const more = e.ctrlKey || e.metaKey || e.shiftKey;
    chooseTerm(t, more);
    // below the table, on a phone
    if (!more && state.term.includes(t) && map.element.getBoundingClientRect().top > innerHeight * 0.6) map.element.scrollIntoView();
  }

  function columns(r) {
    const shownClasses = data.classes.length <= 8 ? data.classes.map((_, c) => c) : [];
    const has = values => values.some(value => value !== null);
    const bar = t => h('span', {class: 'bar', style: `--part:${Math.min(1, (r.selected[t] ?? 0) / r.most)}`}, count(r.selected[t]));
    const all = [
      {
        key: '',
        title: h('span', {class: 'hidden'}, 'Chosen'),
        class: 'tick',
        cell: t => h('input', {
          type: 'checkbox',
          checked: state.term.includes(t),
          'aria-label': `Choose ${data.name(t)}`,
          onchange: () => chooseTerm(t, true)
        })
      },
      {
        key: 'label',
        title: 'Term',
        value: t => data.name(t),
        class: 'label',
        cell: t =>
            h('button', {type: 'button', class: 'link', title: data.whole(t), onclick: e => chooseRow(t, e)}, clamp(data.name(t)))
      },
      {
        key: 'selected',
        title: 'Selected',
        numeric: true,
        about: `In how many of ${count(r.of)} ${r.lazy ? 'instances' : 'folds'} the term is selected`,
        value: t => r.selected[t],
        cell: bar
      },
      has(r.log_odds) && {
        key: 'contribution',
        title: data.target === null ? 'Log-odds' : 'Effect',
        numeric: true,
        about: data.many     ? 'Mean contribution to the class that is predicted, where the term is present, of instances with details' :
            data.target === null ? `Mean contribution where the term is present, for ${data.className(data.positive)}` :
                                      `Mean effect on ${data.target} where the term is present, of instances with details`,
        value: t => r.log_odds[t],
        cell: t => r.log_odds[t] === null ? '' : signed(r.log_odds[t])
      },
      has(r.direction) && {
        key: 'direction',
        title: 'Speaks for',
        about: 'The class in which the term is most frequent, or its mean highest',
        value: t => (r.direction[t] === null ? '' : data.className(r.direction[t])),
        class: 'id',
        cell: t => (r.direction[t] === null ? '' : classTag(data, r.direction[t]))
      },
      has(r.importance) && {
        key: 'importance',
        title: 'Importance',
        numeric: true,
        about: 'How important the term is for the classifier',
        value: t => r.importance[t],
        cell: t => number(r.importance[t])
      },
      has(r.score) && {
        key: 'score',
        title: 'Score',
        numeric: true,
        about: 'Relevance of the term for the selector',
        value: t => r.score[t],
        cell: t => number(r.score[t])
      },
      {key: 'id', title: 'Identifier', value: t => data.ids[t], class: 'id', cell: has(data.labels) && (t => brief(data.ids[t]))},
      ...shownClasses.map(c => ({
                            key: 'support' + c,
                            title: data.className(c),
                            numeric: true,
                            about: `Instances of ${data.className(c)} that have the term${
                                data.dataset.class_sizes[c] ? `, of ${count(data.dataset.class_sizes[c])}` : ''}`,
                            value: t => data.support[c][t],
                            cell: t => count(data.support[c][t])
                          })),
      has(data.have) && {
        key: 'have',
        title: 'Instances',
        numeric: true,
        about: `Instances that have the term, of ${count(data.counted)}`,
        value: t => data.have[t],
        cell: t => count(data.have[t])
      },
      data.depth.some(v => v !== null) &&
          {key: 'depth', title: 'Depth', numeric: true, about: 'Longest path from a root', value: t => data.depth[t], cell: t => count(data.depth[t])},
      data.hasNamespaces && {
        key: 'namespace',
        title: 'Namespace',
        value: t => data.namespaces[data.namespace[t]] ?? '',
        class: 'id',
        cell: t => data.namespaces[data.namespace[t]] ?? ''
      },
    ].filter(Boolean);
    return all;
  }

  function tools(r) {
    const most = r.selected.reduce((a, b) => Math.max(a, b ?? 0), 0);
    const steps = [...new Set([0, 1, 2, ...[0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1].map(p => Math.ceil(p * (r.of || most)))])]
                      .filter(v => v <= most || v <= 1)
                      .sort((a, b) => a - b);
    if (!steps.includes(state.least)) steps.push(state.least);
    fill(
        toolbar, h('label', {class: 'field wide'}, h('span', null, 'Search'), search),
        data.hasNamespaces &&
            choice('Namespace', [['', 'all'], ...data.namespaces.map((name, i) => [i, name])], state.ns, ns => state.set({ns})),
        r.direction.some(v => v !== null) &&
            choice(
                'Speaks for', [['', 'any class'], ...data.classes.map((name, c) => [c, name])], state.toward,
                toward => state.set({toward})),
        choice(
            'Selected in', steps.map(v => [v, v === 0 ? 'any number' : `${count(v)} or more`]), state.least,
            least => state.set({least: Number(least)})));
    fill(
        above,
        choice(
            'Draw', [['top', 'most important terms'], ['listed', 'terms of the table'], ['chosen', 'chosen terms only'], ...(data.laidOut.length ? [['all', `all selected, with ancestors (${count(data.laidOut.length)})`]] : [])],
            state.scope, scope => state.set({scope})),
        colourChoices(data, r, state),
        state.scope !== 'all' && choice('Roots', [['top', 'on top'], ['left', 'on the left']], state.lay, lay => state.set({lay})),
        (state.term.length > 0 || state.lines === '1') &&
            toggle('All ancestors of chosen', state.lines === '1', () => state.set({lines: state.lines === '1' ? '' : '1'})),
        (state.open.length > 0 || state.shut.length > 0) &&
            h('button', {type: 'button', onclick: () => state.set({open: [], shut: []})}, 'Reset what is open'));
  }

  function listed(r) {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const least = words.length && state.least === 1 ? 0 : state.least;  // what is looked for by name need not be selected
    return r.order.filter(
        t => state.term.includes(t) ||
            words.every(word => data.searched[t].includes(word)) && (state.ns === '' || String(data.namespace[t]) === state.ns) &&
                (state.toward === '' || String(r.direction[t]) === state.toward) && (r.selected[t] === null || r.selected[t] >= least));
  }

  function drawMap(r, rows, anchor, centre) {
    const chosen = state.term, meets = meeting(data, chosen);
    const seeds = state.scope === 'chosen' ? [] :
        state.scope === 'listed'           ? rows :
                                             r.order.filter(t => (r.selected[t] ?? 0) > 0 || r.selected.every(v => v === null));
    const lines = state.lines === '1' ? chosen.flatMap(t => [...ancestors(data, t)]) : [];
    const whole = state.scope === 'all' && data.laidOut.length > 0;
    const onPath = new Set(chosen.flatMap(t => [t, ...ancestors(data, t)]));
    let left = 0;
    const {spec: {graph}, cap} =
        map.drawFirst(state.cap || whole ? [state.cap] : CAPS, JSON.stringify([state.run, state.scope, state.lay, state.scope === 'listed' && rows]), most => {
          const kept = whole ? new Set(data.laidOut) : pick(data, seeds, most, [...chosen, ...meets, ...state.open, ...lines]);
          left = whole ? 0 : seeds.filter(t => !kept.has(t)).length;
          return {
            data,
            graph: drawn(data, kept, new Set(state.shut), chosen.length > 1 ? onPath : undefined),
            chosen,
            meets,
            onPath,
            left: state.lay === 'left' && !whole,
            layout: whole ? data.layout : null,
            anchor,
            centre,
            first: seeds[0] ?? chosen[0],
            ...colouring(data, r, state),
          };
        });
    fill(
        drawnNote,
        data.T === 0           ? 'This page has no terms.' :
            !data.hasHierarchy ? 'These terms have no hierarchy. ' :
                                 '',
        data.T > 0 && `${plural(graph.nodes.length, 'term')} drawn` + (left > 0 ? `, ${count(left)} more not drawn. ` : '. '),
        left > 0 &&
            h('button', {type: 'button', class: 'link', onclick: () => state.set({cap: cap + STEP})},
              `Draw ${count(Math.min(STEP, left))} more`),
        !whole && state.cap > 0 && [' ', h('button', {type: 'button', class: 'link', onclick: () => state.set({cap: 0})}, 'Draw fewer')]);
  }

  function drawFacts(r) {
    const term = t => h('button', {type: 'button', class: 'link', onclick: () => chooseTerm(t, false)}, data.name(t));
    // In a sentence it is a link, which breaks within a line.
    const link = t =>
        h('a', {href: `#term=${encodeURIComponent(data.ids[t])}`, onclick: e => (e.preventDefault(), chooseTerm(t, false))}, data.name(t));
    const terms = list =>
        (list.length ? list.slice(0, 12)
                           .map((t, i) => [i > 0 && ', ', link(t)])
                           .concat(list.length > 12 ? ` and ${count(list.length - 12)} more` : []) :
                                                      'none');
    const chosen = state.term, meets = meeting(data, chosen);
    const fact = (name, ...value) => h('div', null, h('dt', null, name), h('dd', null, value));
    fill(
        facts,
        chosen.length === 0 &&
            h('p', {class: 'hint'},
              'Choose a term in the table or in the drawing. Ctrl, Shift or the boxes of the table choose several: then the drawing marks where they meet.'),
        chosen.length > 0 &&
            h('div', {class: 'chips', role: 'list', 'aria-label': 'Chosen terms'},
              chosen.map(
                  t =>
                      h('span', {class: 'chip', role: 'listitem'}, term(t),
                        h('button', {
                          type: 'button',
                          'aria-label': `Take ${data.name(t)} away`,
                          onclick: () => state.set({term: chosen.filter(other => other !== t)})
                        },
                          '\u00d7'))),
              chosen.length > 1 && h('button', {type: 'button', onclick: () => state.set({term: []})}, 'None')),
        chosen.length > 1 &&
            h('p', {class: 'meets'}, meets.length ? ['They meet in ', terms(meets), '.'] : 'They have no ancestor in common.'),
        chosen.length === 1 &&
            chosen.map(
                t => h(
                    'dl', null, fact('Identifier', data.ids[t]),
                    r.selected[t] !== null &&
                        fact('Selected', `${count(r.selected[t])} of ${count(r.of)} ${r.lazy ? 'instances' : 'folds'}`),
                    r.contribution[t] !== null &&
                        fact(
                            r.contributionName, signed(r.contribution[t]),
                            r.direction[t] !== null && ` (evidence for ${data.className(r.direction[t])})`),
                    data.classes.length > 0 &&
                        fact(
                            'Instances',
                            data.classes
                                .map(
                                    (name, c) => `${count(data.support[c][t])} of ${
                                                     data.dataset.class_sizes[c] ? count(data.dataset.class_sizes[c]) + ' ' : ''}${name}` +
                                        (data.dataset.class_sizes[c] ? ` (${percent(data.support[c][t] / data.dataset.class_sizes[c])})` :
                                                                       ''))
                                .join('; ')),
                    data.have[t] !== null && fact('Instances', `${count(data.have[t])} of ${count(data.counted)}`),
                    fact('Parents', terms(data.parents[t])), fact('Children', terms(data.children[t])))));
  }

  return {
    element,
    update() {
      const r = run();
      if (search.value !== state.q) search.value = state.q;
      const toolsKey = JSON.stringify([
        state.run, state.ns, state.toward, state.least, state.scope, state.colour, state.class, state.lay, state.lines, state.open.length,
        state.shut.length, state.term.length > 0
      ]);
      if (toolsKey !== last.tools) {
        const focused = document.activeElement === search;
        tools(r);
        if (focused) search.focus();
      }
      const rows = listed(r), newTerm = JSON.stringify(state.term) !== last.term;
      table.update(Object.assign(columns(r).filter(c => c.cell), {first: 1}), rows.slice(), state.sort || '-selected');
      fill(
          found, table.said(rows.length, data.T, 'term'), rows.length < data.T && [
            !state.q && !state.ns && !state.toward && state.least === 1 && ', the others were never selected', '. ',
            h('button', {type: 'button', class: 'link', onclick: () => state.set({q: '', ns: '', toward: '', least: 0})}, 'Show all')
          ]);
      const one = newTerm && state.term.length > 0 ? state.term[state.term.length - 1] : null;
      const changed = [...state.shut, ...(last.shut || [])].find(t => state.shut.includes(t) !== (last.shut || []).includes(t));
      const opened = state.open.length !== (last.open || []).length ? last.opened : undefined;
      drawFacts(r);
      drawMap(r, rows, changed ?? opened, one);
      if (one !== null && !table.reveal(one)) say(`${data.name(one)} is not in the table as it is filtered.`);
      last = {tools: toolsKey, term: JSON.stringify(state.term), shut: state.shut, open: state.open};
    },
    opening(t) {
      last.opened = t;
    },
    exports() {
      const cols = columns(run()).filter(c => c.key && c.key !== 'label');
      return [
        {name: 'hierarchy', title: 'Hierarchy', picture: map.picture(), graph: map.graph()}, {
          name: 'terms',
          title: 'Table of terms',
          table: () => csv([
            ['label', ...cols.map(c => c.key.startsWith('support') ? `support ${c.title}` : c.key)],
            ...table.rows().map(t => [data.labels[t], ...cols.map(c => c.value(t))])
          ])
        }
      ];
    },
  };
}
