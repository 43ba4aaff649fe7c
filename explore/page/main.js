// SPDX-License-Identifier: GPL-3.0-or-later
// The page: reads the data, keeps what is in view, and shows one of the views.
import {createAbout} from './about.js';
import {readData} from './data.js';
import {choice, fill, h, keepFocus} from './dom.js';
import {cytoscape, dot, graphml, save, savePng, svgText} from './export.js';
import {createInstances} from './instances.js';
import {createModel} from './model.js';
import {createState} from './state.js';
import {createTerms} from './terms.js';
import './licences.js';

const VIEWS = [
  ['terms', 'Terms', createTerms], ['instances', 'Instances', createInstances], ['model', 'Model', createModel],
  ['about', 'About', createAbout]
];
const part = id => document.getElementById(id);
const without = (list, item) => list.filter(other => other !== item);

function start() {
  const data = readData(JSON.parse(part('data').textContent));
  const titleOf = (name, title) => (data.pu && name === 'instances' ? 'Candidates' : title);
  const views = {}, state = createState(data, update);
  let said;

  const app = {
    data,
    state,
    run: () => data.runs[state.run],
    say(text) {
      part('status').textContent = text;
      part('status').classList.add('seen');
      clearTimeout(said);
      said = setTimeout(() => part('status').classList.remove('seen'), 4000);
    },
    chooseTerm(t, more, view) {
      const term = more                                           ? (state.term.includes(t) ? without(state.term, t) : [...state.term, t]) :
          state.term.length === 1 && state.term[0] === t && !view ? [] :
                                                                    [t];
      state.set({term, ...(view && {view})});
    },
    openTerms(terms, t) {
      views[state.view].opening(t);
      state.set({open: [...new Set([...state.open, ...terms])]});
    },
    foldTerm: t => state.set({shut: state.shut.includes(t) ? without(state.shut, t) : [...state.shut, t]}),
  };

  function update() {
    for (const [name, , create] of VIEWS) {
      if (name === state.view && !views[name]) views[name] = create(app);
    }
    const view = views[state.view];
    if (part('main').firstChild !== view.element) fill(part('main'), view.element);
    for (const button of part('views').children) {
      if (button.dataset.view === state.view)
        button.setAttribute('aria-current', 'page');
      else
        button.removeAttribute('aria-current');
    }
    if (data.runs.length > 1) part('run').querySelector('select').value = String(state.run);
    part('run').title = app.run().about;
    document.title = `${titleOf(...VIEWS.find(([name]) => name === state.view))} \u2013 ${data.title}`;
    keepFocus(view.update);
  }

  // ---- the header ----

  part('title').textContent = part('title').title = data.title;
  fill(
      part('views'),
      VIEWS.map(([name, title]) => h('button', {type: 'button', 'data-view': name, onclick: () => state.set({view: name})}, titleOf(name, title))));
  fill(
      part('run'),
      data.runs.length > 1 ? choice(
                                 'Run', data.runs.map(run => [run.number, run.name]), state.run,
                                 run => state.set({run: Number(run), beside: state.beside === Number(run) ? null : state.beside})) :
                             h('span', {class: 'soft'}, data.runs[0].name));

  // Filled before it opens: what was there for another view is never to be seen or clicked.
  const files = part('files');
  files.querySelector('summary').addEventListener('click', () => {
    if (files.open) return;
    const name = `${data.title}-${state.view}`.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
    const action = (text, kind, work) =>
        h('button', {
          type: 'button',
          'data-export': kind,
          onclick: () => {
            Promise.resolve().then(work).then(() => app.say('Saved.'), error => app.say(`Not saved: ${error.message}.`));
            files.open = false;
          }
        },
          text);
    const all = views[state.view].exports();
    fill(
        part('filelist'),
        all.map(
            item => h(
                'div', {role: 'group', 'aria-label': item.title}, h('span', null, item.title),
                item.picture &&
                    [
                      action('SVG', `${item.name}.svg`, () => save(`${name}-${item.name}.svg`, 'image/svg+xml', svgText(item.picture))),
                      action('PNG', `${item.name}.png`, () => savePng(`${name}-${item.name}.png`, item.picture))
                    ],
                item.graph &&
                    [
                      action('DOT', `${item.name}.dot`, () => save(`${name}-${item.name}.dot`, 'text/vnd.graphviz', dot(data, item.graph))),
                      action(
                          'GraphML', `${item.name}.graphml`,
                          () => save(`${name}-${item.name}.graphml`, 'application/xml', graphml(data, app.run(), item.graph))),
                      action(
                          'Cytoscape', `${item.name}.cyjs`,
                          () => save(`${name}-${item.name}.cyjs`, 'application/json', cytoscape(data, app.run(), item.graph)))
                    ],
                item.table && action('CSV', `${item.name}.csv`, () => save(`${name}-${item.name}.csv`, 'text/csv', item.table())))),
        all.length === 0 && h('p', {class: 'hint'}, 'Nothing to save in this view.'),
        action(
            'Link to this view', 'link',
            () => navigator.clipboard ?
                navigator.clipboard.writeText(location.href).catch(() => prompt('Link to this view', location.href)) :
                prompt('Link to this view', location.href)));
  });
  addEventListener('click', e => files.open && !files.contains(e.target) && (files.open = false));

  // ---- light and dark ----

  const root = document.documentElement, darkness = matchMedia('(prefers-color-scheme: dark)');
  const store = {
    get: () => {
      try {
        return localStorage.getItem('hsel-theme');
      } catch {
        return null;
      }
    },
    set: value => {
      try {
        localStorage.setItem('hsel-theme', value);
      } catch { /* not kept */
      }
    }
  };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : darkness.matches);
  const label = () => {
    part('theme').textContent = isDark() ? 'Light' : 'Dark';
  };
  if (['dark', 'light'].includes(store.get())) root.dataset.theme = store.get();
  part('theme').addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    store.set(root.dataset.theme);
    label();
    update();
  });
  darkness.addEventListener('change', () => {
    label();
    update();
  });
  label();

  part('skip').addEventListener('click', () => part('main').focus());
  addEventListener('keydown', e => {
    if (e.key === 'Escape' && files.open) {
      files.open = false;
      files.querySelector('summary').focus();
    } else if (e.key === '/' && !e.ctrlKey && !e.metaKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      const search = part('main').querySelector('input[type=search]');
      if (search) {
        e.preventDefault();
        search.focus();
      }
    }
  });
  let width = innerWidth, waiting;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(update, 150);
  });
  update();
  root.dataset.ready = Math.round(performance.now());
}

try {
  start();
} catch (error) {
  part('status').textContent = `This page cannot be shown: ${error.message}`;
  part('status').classList.add('seen');
  throw error;
}
