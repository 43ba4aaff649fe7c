// SPDX-License-Identifier: GPL-3.0-or-later
// The view of what the page is made of: data, runs with their metrics, notes and limits, the command, how to use it.
import {count, fill, h, number as numberText} from './dom.js';

const SAMPLES = {'out-of-fold': 'out-of-fold', training: 'of the training instances', unknown: 'of instances that may be those of training'};

export function createAbout({data}) {
  const element = h('section', {class: 'pane about', 'aria-label': 'About'});
  // a metric of training is never called as one that is not
  const called = (run, name) => (run.sample === 'training' ? `training ${name}` : name);
  const names = [...new Set(data.runs.flatMap(run => run.metrics.map(([name]) => called(run, name))))];
  const fact = (name, value) =>
      (value === '' || value === undefined || value === null ? null : h('div', null, h('dt', null, name), h('dd', null, value)));
  const lines = (title, list) =>
      list.length > 0 && h('section', null, h('h2', null, title), h('ul', null, list.map(line => h('li', null, line))));
  const keys = [
    ['/', 'search'], ['Tab', 'next part, row or drawing'], ['Arrow keys', 'in a drawing: to the next term that way'],
    ['Enter', 'choose a term'], ['Space', 'add a term to the chosen, or take it away'],
    ['C', 'in a drawing: collapse or expand what is below'], ['O', 'in a drawing: show the terms left out above'],
    ['+ and \u2212', 'in a drawing: zoom']
  ];
  const words = [
    ['Run', 'a selector, which chooses terms, with a classifier, which predicts from them'],
    ['Selected', 'in how many instances or folds the selector chose the term'],
    ['Score', 'how relevant the selector finds the term; each selector has its own measure'],
    data.target === null && ['Speaks for', 'the class in which the term is most frequent, or its mean highest'],
    data.target === null && ['Log-odds', 'log(P / (1 \u2212 P)), P being the probability of the class: 0 is as likely as not, +0.69 doubles the odds, \u22120.69 halves them'],
    data.target === null ? ['Contribution', 'what one term adds to the log-odds of a prediction'] :
                           ['Effect', `what one term adds to the ${data.target} that is predicted, on average`],
    data.target === null ? ['Baseline', 'the log-odds before any term is looked at'] :
                           ['Baseline', 'what is predicted before any term is looked at'],
    data.pu && ['Candidate', 'an unlabelled instance: whether it is like the known ones is not known. No instance is predicted by a model that learned from it'],
    data.target !== null && ['Off by', 'predicted less observed'],
  ].filter(Boolean);
  fill(
      element,
      h('section', null, h('h2', null, 'Words'), h('dl', null, words.map(([word, what]) => fact(word, what)))),
      h('section', null, h('h2', null, 'Data'),
        h('dl', null, fact('Data set', data.dataset.name), fact('Instances', count(data.n)),
          fact('Terms', count(data.dataset.features ?? data.T)), fact('Terms in this page', count(data.T)),
          fact(
              'Classes',
              data.classes
                  .map((name, c) => name + (data.dataset.class_sizes[c] !== undefined ? ` (${count(data.dataset.class_sizes[c])})` : ''))
                  .concat(data.classes.length && data.unlabelled.length ? `not known (${count(data.unlabelled.length)})` : [])
                  .join(', ')),
          fact('Target', data.target))),
      h('section', null, h('h2', null, 'Runs'),
        h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Metrics of each run'},
          h('table', null,
            h('thead', null,
              h('tr', null, h('th', {scope: 'col'}, 'Run'), h('th', {scope: 'col'}, 'How'),
                h('th', {scope: 'col'}, 'Predictions'), names.map(name => h('th', {scope: 'col', class: 'number'}, name)))),
            h('tbody', null, data.runs.map(run => {
              const metrics = new Map(run.metrics.map(([name, value]) => [called(run, name), value]));
              return h(
                  'tr', null, h('th', {scope: 'row', class: 'label'}, run.name, run.about && h('small', null, ` ${run.about}`)), h('td', null, run.how), h('td', null, SAMPLES[run.sample]),
                  names.map(
                      name =>
                          h('td', {class: 'number'},
                            metrics.get(name) === undefined || metrics.get(name) === null ? '' :
                              data.target === null ? Number(metrics.get(name)).toFixed(1) : numberText(metrics.get(name)))));
            })))),
        names.length > 0 && data.target === null && h('p', {class: 'hint'}, 'Metrics in per cent.'),
        data.pu && h('p', {class: 'hint'}, 'Metrics count every unlabelled instance as a negative. Some are positive, so they are too low.'),
        names.length > 0 && data.runs.some(run => run.sample !== 'out-of-fold') &&
            h('p', {class: 'hint'}, 'Metrics of training instances are better than those of new instances, which hsel eval estimates.')),
      lines('Notes and limits', data.notes), lines('Where the data come from', data.dataset.provenance || []),
      data.command &&
          h('section', null, h('h2', null, 'Made by'), h('pre', {tabindex: 0}, data.command), h('p', {class: 'hint'}, `hsel ${data.hsel}`)),
      h('section', null, h('h2', null, 'Keys'),
        h('dl', null, keys.map(([key, what]) => h('div', null, h('dt', null, h('kbd', null, key)), h('dd', null, what))))),
      h('section', null, h('h2', null, 'This page'),
        h('p', null,
          'One file that needs no network and sends nothing. The address contains the view: a copy of it opens the same view.'),
        h('p', {class: 'hint'},
          'Drawn with d3-zoom and d3-selection (BSD, Mike Bostock), dagre and graphlib (MIT, Chris Pettitt) and lodash (MIT, OpenJS Foundation and others).')));
  return {element, update() {}, exports: () => []};
}
