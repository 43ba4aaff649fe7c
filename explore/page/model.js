// SPDX-License-Identifier: GPL-3.0-or-later
// The view of the model: what a run learned as a whole.
import {bars} from './bars.js';
import {colourChoices, colouring} from './colour.js';
import {choice, count, fill, h, keepFocus, plural, signed} from './dom.js';
import {csv} from './export.js';
import {createHierarchy} from './hierarchy.js';

const STEP = 30, MOST = 100;

export function createModel({data, state, run, chooseTerm}) {
  const element = h('section', {class: 'pane model', 'aria-label': 'Model'});
  const map = createHierarchy('Network of terms', {choose: (t, more) => chooseTerm(t, more), open: () => {}, shut: () => {}});
  let exportable = [], shown = STEP, side = 0, last = null;

  const show = t => chooseTerm(t, false, 'terms');

  function strengths(title, rows, hint, headings) {
    const part = rows.slice(0, shown), values = part.map(row => row[1 + side] ?? 0),
          width = Math.max(280, Math.min(980, element.clientWidth - 4 || 800));
    const chart = part.length > 0 &&
        bars(title, part.map(([t], i) => ({
                               label: data.name(t),
                               from: 0,
                               to: values[i],
                               text: signed(values[i]),
                               click: () => show(t),
                               title: `${data.name(t)}\n${data.ids[t]}\n${signed(values[i])}`
                             })),
             width);
    exportable = [
      chart && {name: 'model', title, picture: chart.picture}, {
        name: 'model',
        title,
        table: () => csv([['term', 'label', ...headings], ...rows.map(([t, ...all]) => [data.ids[t], data.labels[t], ...all])])
      }
    ].filter(Boolean);
    return [
      h('h2', null, title), h('p', {class: 'hint'}, hint), chart ? chart.element : h('p', null, 'No single binary term has a strength. Contributions of numbers are shown for each instance.'),
      rows.length > shown &&
          h('button', {type: 'button', class: 'link', onclick: () => ((shown += STEP), keepFocus(draw))},
            `Show more: ${count(rows.length - shown)} of ${count(rows.length)} are not shown`)
    ];
  }

  // A tree as lines: tests that have only one branch which goes on follow each other as "else" lines, all others fold what is below them.
  function lines(node, level) {
    const inner = next => next.branches && next.branches.length > 0;
    const counts = next => next.weight !== undefined ? h('small', null, ` ${plural(next.weight, 'instance')}${inner(next) ? `, mean ${next.leaf}` : ''}`) :
        next.counts && h('small', null, ` ${next.counts.map((n, c) => `${count(n)} ${data.className(c)}`).join(', ')}`);
    const test = of =>
        (of.t !== null && of.t !== undefined && of.t >= 0 && of.t < data.T ?
             h('button', {type: 'button', class: 'link', onclick: e => (e.preventDefault(), show(of.t))}, data.name(of.t)) :
             of.test);
    const words = {'= 0': 'absent', '= 1': 'present'}, said = text => words[text] ?? text;
    const leaf = (before, next) => h('li', null, before, h('strong', null, next.leaf ?? ''), counts(next));
    const found = [];
    let before = () => null;
    if (!inner(node)) return [leaf(null, node)];
    for (;;) {
      const on = node.branches.filter(([, next]) => inner(next)), at = node;
      if (on.length > 1) break;
      node.branches.filter(([, next]) => !inner(next)).forEach(([text,
                                                                 next]) => found.push(leaf([before(), test(at), ` ${said(text)}: `], next)));
      if (on.length === 0) return found;
      before = () => h('span', {class: 'soft'}, 'else ');
      node = on[0][1];
    }
    const inside = h('ul'),
          fillIn = () => fill(
              inside,
              node.branches.map(
                  ([text, next]) => h('li', null, h('span', {class: 'soft'}, `${said(text)}:`), h('ul', null, lines(next, level + 1)))));
    const fold =
        h('details', {open: level < 4, ontoggle: () => fold.open && inside.childElementCount === 0 && fillIn()},
          h('summary', null, before(), test(node), counts(node)), inside);
    if (level < 4) fillIn();
    return [...found, h('li', null, fold)];
  }

  function network(edges) {
    const part = edges.slice(0, MOST).map(([child, parent]) => ({child, parent, hidden: [], relation: 0}));
    const nodes = [...new Set(part.flatMap(e => [e.child, e.parent]))].sort((a, b) => a - b), r = run();
    requestAnimationFrame(() => map.draw({
      data: Object.create(data, {relations: {value: ['depends on']}}),
      graph: {nodes, edges: part, gaps: new Map(), below: new Map(), parents: new Set()},
      chosen: state.term.filter(t => nodes.includes(t)),
      meets: [],
      onPath: new Set(),
      left: state.lay === 'left',
      snug: true,
      ...colouring(data, r, state),
      first: nodes[0],
    }));
    exportable = [
      {
        name: 'network',
        title: 'Network',
        get picture() {
          return map.picture();
        },
        get graph() {
          return map.graph();
        }
      },
      {
        name: 'network',
        title: 'Edges',
        table: () => csv([['term', 'depends on'], ...edges.map(([child, parent]) => [data.ids[child], data.ids[parent]])])
      }
    ];
    return [
      h('h2', null, 'Dependencies between terms'),
      h('p', {class: 'hint'}, edges.length > MOST ? `The first ${count(MOST)} of ${plural(edges.length, 'edge')}: ` : '',
        'Each term below depends on the one above, besides the class.'),
      h('div', {class: 'tools'}, colourChoices(data, r, state)), map.element
    ];
  }

  function draw() {
    const r = run(), model = r.model, positive = model.of ?? data.className(data.positive);
    exportable = [];
    const kinds = {
      terms: () =>
          [h('div', {class: 'tools'},
             choice(
                 'Strength when the term is', [[0, 'present'], [1, 'absent']], side, value => ((side = Number(value)), keepFocus(draw)))),
           strengths(
               'Strongest terms', model.terms || [],
               `What a term that is ${side ? 'absent' : 'present'} adds to the log-odds of ${positive}.`, ['present', 'absent'])],
      weights: () => strengths('Weights', model.weights || [], data.target === null ? `${data.many ? 'Of the first part of the model, which separates two classes. ' : ''}Above 0: for ${positive}.` : `Above 0: raises ${data.target}.`, ['weight']),
      importances: () =>
          strengths('Importances', model.importances || [], 'How important each term is for the model, without direction.', ['importance']),
      tree: () => [h('h2', null, 'Tree'), h('ul', {class: 'tree'}, lines(model.tree, 0))],
      network: () => network(model.network || []),
    };
    if (model.kind !== 'terms') side = 0;
    fill(
        element, kinds[model.kind] && (model.kind !== 'tree' || model.tree) ? kinds[model.kind]() : null,
        model.text && h('details', {open: !kinds[model.kind]}, h('summary', null, 'As text'), h('pre', {tabindex: 0}, model.text)),
        !model.text && !kinds[model.kind] &&
            h('p', {class: 'hint'},
              r.lazy ? 'This run has no single model: terms are selected for each instance separately. See Instances.' :
                       'Nothing can be shown for this model.'));
  }

  return {
    element,
    update() {
      if (last !== state.run) {
        shown = STEP;
        side = 0;
        last = state.run;
      }
      draw();
    },
    exports: () => exportable,
  };
}
