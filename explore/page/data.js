// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the page, as README.md describes them, with all that may be missing put right once, so that nothing else has to ask.

import {HUES} from './dom.js';

// Characters that XML has no way to write are shown as what they are: unreadable.
// eslint-disable-next-line no-control-regex
const clean = text => String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');

const column = (values, length) => {
  const filled = Array.isArray(values) ? values.slice(0, length) : [];
  while (filled.length < length) filled.push(null);
  return filled;
};

// The last part of an address; with its server where two have the same, and whole where that is not enough.
function readable(names) {
  const parts = names.map(name => /^<?[a-z][a-z0-9+.-]*:\/\/([^/?#]*).*?([^/#]+)[/#]*>?$/i.exec(name ?? ''));
  const short = parts.map((found, i) => (found ? plainly(found[2]) : names[i]));
  const times = list => list.reduce((seen, name) => seen.set(name, (seen.get(name) ?? 0) + 1), new Map());
  const once = times(short), longer = short.map((name, i) => (parts[i] && once.get(name) > 1 ? `${name} (${parts[i][1]})` : name)), twice = times(longer);
  return longer.map((name, i) => (parts[i] && twice.get(name) > 1 ? names[i] : name));
}

function plainly(text) {
  try {
    return clean(decodeURIComponent(text));
  } catch {
    return text;
  }
}

export function readData(raw) {
  const names = values => values.map(value => (value === null ? null : clean(value)));
  const terms = raw.terms || {}, instances = raw.instances || {}, dataset = raw.dataset || {};
  const T = (terms.id || []).length, n = (instances.id || []).length;
  const classes = (dataset.classes || []).map(clean);
  const data = {
    title: clean(raw.title || dataset.name || 'hsel'),
    hsel: raw.hsel || '',
    command: raw.command || '',
    dataset: {name: '', provenance: [], class_sizes: [], ...dataset},
    notes: raw.notes || [],
    rules: raw.rules || {},
    namespaces: (raw.namespaces || []).map(clean),
    relations: (raw.relations || []).map(clean),
    classes,
    many: classes.length > 2,
    positive: classes.length > 2 ? null : Math.min(dataset.positive ?? 1, Math.max(classes.length - 1, 0)),
    pu: Boolean(dataset.candidates),  // known positives, and unlabelled instances, which are no negatives
    T,
    n,
    counted: dataset.instances ?? n,  // by terms: cross-validation leaves out instances without a class
    ids: names(terms.id || []),
    labels: names(column(terms.label, T)),
    namespace: column(terms.namespace, T),
    depth: column(terms.depth, T),
    support: classes.map((_, c) => column((terms.support || [])[c], T)),
    correlation: classes.map((_, c) => column((terms.correlation || [])[c], T)),
    have: column(terms.have, T),
    target: dataset.target === undefined || dataset.target === null ? null : clean(dataset.target),  // the name of a number to predict
    parents: column(terms.parents, T).map(list => list || []),
    relation: column(terms.relation, T),
    layout: column(terms.layout, T),
    instance: {ids: names(column(instances.id, n)), labels: names(column(instances.label, n)), classes: column(instances.class, n), targets: column(instances.target, n)},
    runs: (raw.runs || []).map((run, r) => readRun(run, r, T, n)),
  };
  data.children = Array.from({length: T}, () => []);
  data.parents.forEach((list, t) => list.forEach(p => data.children[p].push(t)));
  data.hasHierarchy = data.parents.some(list => list.length > 0);
  data.laidOut = data.layout.flatMap((at, t) => (at === null ? [] : [t]));
  data.hasNamespaces = new Set(data.namespace).size > 1;
  data.termOf = new Map(data.ids.map((id, t) => [id, t]));
  // Without an identifier a row is called by its number, as --instance takes it.
  data.instance.keys = data.instance.ids.map((id, i) => id ?? `#${i + 1}`);
  data.instanceOf = new Map(data.instance.keys.map((key, i) => [key, i]));
  const terse = readable(data.ids), terseInstances = readable(data.instance.ids);
  data.name = t => data.labels[t] ?? terse[t];
  data.shortId = t => (data.labels[t] === null ? '' : terse[t]);  // where the name is not the identifier
  data.whole = t => (data.labels[t] === null ? data.ids[t] : `${data.labels[t]}\n${data.ids[t]}`);
  data.calledInstance = i => data.instance.labels[i] || (terseInstances[i] ?? `instance ${i + 1}`);
  data.instanceName = i => (data.instance.labels[i] && data.instance.ids[i] !== null ? `${data.instance.labels[i]} (${terseInstances[i]})` : data.calledInstance(i));
  data.residual = (run, i) =>
      run.instance.number[i] === null || data.instance.targets[i] === null ? null : run.instance.number[i] - data.instance.targets[i];
  data.className = c => (c === null || c === undefined || c < 0 ? 'unknown' : classes[c] ?? String(c));
  // What is on the side of a negative and of a positive number, of a prediction of class c.
  data.sidesOf = c => data.target !== null ? [`lowers ${data.target}`, `raises ${data.target}`] :
      classes.length === 2                ? [`for ${classes[1 - data.positive]}`, `for ${classes[data.positive]}`] :
                                            [`against ${data.className(c)}`, `for ${data.className(c)}`];
  data.sides = data.sidesOf(data.positive);
  // The largest classes have colours of their own, others have none.
  const bySize = classes.map((_, c) => c).sort((a, b) => (data.dataset.class_sizes[b] ?? 0) - (data.dataset.class_sizes[a] ?? 0) || a - b);
  const coloured = new Set(bySize.slice(0, HUES));
  let hue = 0;
  data.hues = classes.map((_, c) => (coloured.has(c) ? hue++ : null));
  data.leaning = data.correlation.flat().reduce((most, v) => Math.max(most, Math.abs(v ?? 0)), 0) || 1;
  const text = (ids, labels) => ids.map((id, i) => `${id}\n${labels[i] ?? ''}`.toLowerCase());
  data.searched = text(data.ids, data.labels);
  data.searchedInstances = text(data.instance.ids.map((id, i) => id ?? `instance ${i + 1} #${i + 1}`), data.instance.labels);
  data.unlabelled = Array.from({length: n}, (_, i) => i).filter(i => (data.target === null ? data.instance.classes : data.instance.targets)[i] === null);
  if (data.runs.length === 0) data.runs.push(readRun({}, 0, T, n));
  data.runs.forEach(run => rank(data, run));
  return data;
}

function readRun(run, number, T, n) {
  const terms = run.terms || {}, instances = run.instances || {};
  const all = (from, names, length) => Object.fromEntries(names.map(name => [name, column(from[name], length)]));
  return {
    number,
    name: [run.selector, run.classifier].filter(Boolean).join(' + ') || 'no run',
    about: run.about || '',
    lazy: Boolean(run.lazy),
    how: run.how || '',
    sample: run.sample || 'out-of-fold',
    of: run.of ?? null,
    metrics: run.metrics || [],
    ...all({...terms, log_odds: terms.log_odds ?? terms.effect}, ['selected', 'score', 'direction', 'log_odds', 'importance'], T),
    instance: all(instances, ['predicted', 'log_odds', 'probability', 'number', 'score', 'fold'], n),
    details: run.details || {},
    lists: run.lists || {},
    model: run.model || {kind: 'none'},
  };
}

// What a term brings in a run: its mean contribution where it is known, else its score with the sign of its direction. Its rank: that size
// times how often the term is selected.
function rank(data, run) {
  const side = t => (data.many || run.direction[t] === null || run.direction[t] === data.positive ? 1 : -1);
  const score = t => (run.score[t] === null ? null : side(t) * Math.abs(run.score[t]));
  const has = values => values.some(value => value !== null);
  const mean = data.target === null ? 'Mean contribution' : 'Mean effect';
  run.contributionName = has(run.log_odds) ? mean : has(run.importance) ? 'Importance' : 'Score';
  run.contribution = run.contributionName === mean ? run.log_odds :
      run.contributionName === 'Importance'        ? run.importance.map((v, t) => (v === null ? null : side(t) * v)) :
                                                                    run.score.map((_, t) => score(t));
  run.hasContribution = data.many ? data.correlation.some(has) : has(run.contribution);
  run.largest = run.contribution.reduce((most, v) => Math.max(most, Math.abs(v ?? 0)), 0) || 1;
  run.most = run.of || run.selected.reduce((most, v) => Math.max(most, v ?? 0), 0) || 1;
  const weight = run.contribution.map((v, t) => (run.selected[t] ?? 0) / run.most * (Math.abs(v ?? 0) + 1e-9 * run.largest));
  run.order = Array.from({length: data.T}, (_, t) => t).sort((a, b) => weight[b] - weight[a] || a - b);
  if (!data.pu) return;
  // The candidates, best first; the place of each instance among them, where equal ones share the best.
  const odds = run.instance.score, known = i => data.instance.classes[i] === data.positive;
  run.lists.candidates = Array.from({length: data.n}, (_, i) => i).filter(i => !known(i) && odds[i] !== null).sort((a, b) => odds[b] - odds[a] || a - b);
  const sorted = run.lists.candidates.map(i => odds[i]);
  run.place = odds.map(value => {
    if (value === null) return null;
    let low = 0, high = sorted.length;  // of those above it
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] > value) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  });
}
