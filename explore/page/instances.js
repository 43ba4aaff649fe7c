// SPDX-License-Identifier: GPL-3.0-or-later
// The view of instances: a list to pick from; for one, or two side by side: the prediction, what adds up to it, its part of the hierarchy,
// and why each of its terms was kept or dropped.
import {bars, extent} from './bars.js';
import {brief, chance, choice, clamp, classTag, count, fill, h, keepFocus, number, percent, plural, signed, toggle} from './dom.js';
import {csv} from './export.js';
import {ancestors, drawn, meeting, pick} from './graph.js';
import {createHierarchy} from './hierarchy.js';
import {createTable} from './table.js';

const LISTS =
    [
      ['asked', 'Asked for'], ['certain', 'Most certain'], ['doubtful', 'Most doubtful'], ['wrong', 'Misclassified'], ['off', 'Furthest off'],
      ['candidates', 'Candidates'], ['known_low', 'Known, ranked low'], ['known_high', 'Known, ranked high'], ['high', 'Highest predicted'], ['low', 'Lowest predicted'], ['unlabelled', 'Not labelled'], ['all', 'All']
    ];
const BARS = 18, NODES = [40, 25, 15], ROUNDING = 0.01;  // of numbers in the page, added up
const NOT_PREDICTED = 'Cross-validation predicts no instance without a class: hsel train and hsel explore --model do.';
// How far the predictions of a run are to be believed, by its `sample`.
const SAMPLES = {
  'out-of-fold': 'Out-of-fold: each is predicted by a model that did not see it.',
  training: 'The model was trained on the labelled instances: their predictions are in-sample, more certain and more often right than those of new ones.',
  unknown: 'Predictions of training instances of the model, if any, are more certain and more often right than those of new ones.',
};
const REASONING = {
  terms:
      'The baseline is the prediction without any term. Each term adds its part, and all parts add up to the log-odds of the prediction.',
  path:
      'The baseline is the share of the classes at the root of the tree. Each test on the way down changes it; a leaf counts half an instance more of either side.',
  owen:
      'The baseline is the mean of other instances. A bar is what a term adds on average, when terms come branch by branch (Owen values); a line on it is the standard error of sampling. All that the instance lacks is in the rest. A forest counts half a vote more on either side.',
  none: 'This classifier has no contributions of single terms.',
};
const OF_NUMBERS = {
  terms: 'The baseline is the prediction without any term. Each term adds its part, and all parts add up to the number that is predicted.',
  path: 'The baseline is the mean at the root of the tree. Each test on the way down changes it.',
  owen:
      'The baseline is the mean predicted for other instances. A bar is what a term adds on average, when terms come branch by branch (Owen values); a line on it is the standard error of sampling. All that the instance lacks is in the rest.',
  none: REASONING.none,
};

export function createInstances({data, state, run, chooseTerm, openTerms, foldTerm}) {
  const filters = h('div', {class: 'tools'}), lists = h('div', {class: 'tools', role: 'group', 'aria-label': 'Lists of instances'}),
        found = h('p', {class: 'found', role: 'status'});
  const search = h('input', {
    type: 'search',
    id: 'find',
    placeholder: 'Identifier or symbol',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => state.set({find: search.value}, false)
  });
  const choose = i => {
    state.set({instance: i, other: state.other === i ? null : state.other});
    if (slots.getBoundingClientRect().top > innerHeight * 0.6) compare.scrollIntoView();  // below the list, on a phone
  };
  const table =
      createTable('Instances', {sort: by => state.set({by}, false), click: choose, mark: i => i === current || i === state.other});
  const compare = h('div', {class: 'tools'}), slots = h('div', {class: 'slots'}),
        difference = h('section', {class: 'difference', 'aria-label': 'Differences'});
  const element =
      h('div', {class: 'panes instances'},
        h('section', {class: 'pane', 'aria-label': 'List of instances'},
          h('div', {class: 'tools'}, h('label', {class: 'field wide'}, h('span', null, 'Search'), search), filters), lists, found, table.element),
        h('section', {class: 'pane', 'aria-label': 'Chosen instances'}, compare, difference, slots));
  const makeSlot = name => ({
    map: createHierarchy(`Hierarchy of the terms of the ${name} instance`, {choose: chooseTerm, open: openTerms, shut: foldTerm}),
    table: createTable(
        'Terms of the instance, kept or dropped',
        {click: (t, e) => chooseTerm(t, e.ctrlKey || e.shiftKey), mark: t => state.term.includes(t)}, 50),
    chart: null,
    all: false,
    columns: [],
    rows: [],
  });
  const pair = [makeSlot('first'), makeSlot('second')];
  const differences = createTable('Contributions side by side', {click: t => chooseTerm(t, false)}, 15);
  let last = {}, different = [], current = null;  // without a choice the first of the list that has details

  const two = data.classes.length === 2, numeric = data.target !== null;
  // A number in the unit of the target, without its own sign.
  const total = value => (numeric ? number(value) : signed(value));
  const outcome = (r, i) => numeric ? `predicted ${data.target}` : `log-odds of ${data.className(two ? data.positive : r.instance.predicted[i])}`;
  const labelled = i => (numeric ? data.instance.targets : data.instance.classes)[i] !== null;
  const isPredicted = (r, i) => (numeric ? r.instance.number : r.instance.predicted)[i] !== null;
  const sampled = (r, i) => !isPredicted(r, i) ? '' : r.sample === 'out-of-fold' ? 'out-of-fold' : r.sample === 'training' ? (labelled(i) ? 'in-sample' : 'new instance') : '';
  const wrong = (r, i) =>
      !data.pu && data.instance.classes[i] !== null && r.instance.predicted[i] !== null && data.instance.classes[i] !== r.instance.predicted[i];

  function picker(r) {
    const everyone = () => Array.from({length: data.n}, (_, i) => i), member = key => (key === 'unlabelled' ? data.unlabelled : r.lists[key] || []);
    const filled = LISTS.filter(([key]) => key === 'all' || member(key).length > 0);
    const list = filled.some(([key]) => key === state.list) ? state.list : filled[0][0];
    const marked = key => r.sample === 'training' && member(key).some(labelled) ? ', in-sample' : '';
    const classes = (title, name, chosen, more) => choice(
        title, [['', 'any'], ...data.classes.map((text, c) => [c, text]), ...more], chosen, value => state.set({[name]: value}));
    fill(
        lists,
        filled.map(
            ([key, text]) => toggle(
                key === 'all' ? text : `${text}${marked(key)} (${count(member(key).length)})`, !state.find && key === list,
                () => state.set({list: key, find: ''}))));
    fill(
        filters, data.classes.length > 1 && [
          classes('Class', 'of', state.of, data.unlabelled.length ? [['none', 'unknown']] : []), !data.pu && classes('Predicted', 'as', state.as, [])
        ]);
    const words = state.find.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (choice, c) => choice === '' || String(c ?? 'none') === choice;
    const rows = (words.length ? everyone().filter(i => words.every(word => data.searchedInstances[i].includes(word))) :
                      list === 'all' ? everyone() :
                                       member(list).slice())
                     .filter(i => fits(state.of, data.instance.classes[i]) && fits(state.as, r.instance.predicted[i]));
    const detailed = i => r.details[i] !== undefined;
    current = state.instance ?? rows.find(detailed) ?? rows[0] ?? null;
    table.update(
        [
          {
            key: 'id',
            title: 'Instance',
            value: i => data.calledInstance(i),
            class: 'label',
            cell: i => h(
                'button',
                {type: 'button', class: 'link', title: `${data.instance.keys[i]}\n${detailed(i) ? 'With contributions' : 'Prediction only'}`, onclick: () => choose(i)},
                clamp(data.calledInstance(i)), detailed(i) && h('span', {class: 'dot', 'aria-hidden': 'true'}, ' \u2022'),
                data.instance.labels[i] && data.instance.ids[i] !== null && h('small', null, ' ' + data.instance.ids[i]))
          },
          numeric && {
            key: 'number',
            title: 'Predicted',
            numeric: true,
            about: `What is predicted of ${data.target}`,
            value: i => r.instance.number[i],
            cell: i => number(r.instance.number[i])
          },
          numeric && {
            key: 'target',
            title: data.target,
            numeric: true,
            about: `What ${data.target} is`,
            value: i => data.instance.targets[i],
            cell: i => number(data.instance.targets[i])
          },
          numeric && {
            key: 'residual',
            title: 'Off by',
            numeric: true,
            about: 'Predicted less observed',
            value: i => data.residual(r, i),
            cell: i => data.residual(r, i) === null ? '' : h('span', {class: data.residual(r, i) < 0 ? 'against' : 'for'}, signed(data.residual(r, i)))
          },
          !numeric && {
            key: 'probability',
            title: data.pu ? 'P(labelled)' : two ? `P(${data.className(data.positive)})` : 'Probability',
            about: data.pu && 'The probability of being among the known ones, a lower bound of that of being positive',
            numeric: true,
            value: i => r.instance.probability[i],
            cell: i => chance(r.instance.probability[i])
          },
          data.pu && {
            key: 'place',
            title: 'Rank',
            numeric: true,
            about: `Place among the ${count(r.lists.candidates.length)} candidates; of a known one, the place it would have`,
            value: i => r.place[i],
            cell: i => count(r.place[i])
          },
          data.pu && {
            key: 'above',
            title: 'Top %',
            numeric: true,
            about: 'The rank in percent of all candidates',
            value: i => r.place[i],
            cell: i => r.place[i] === null ? '' : percent(r.place[i] / Math.max(1, r.lists.candidates.length))
          },
          !numeric && !(data.pu && list === 'candidates' && !words.length) && {
            key: 'class',
            title: 'Class',
            value: i => (data.instance.classes[i] === null ? '' : data.className(data.instance.classes[i])),
            class: 'id',
            cell: i => classTag(data, data.instance.classes[i])
          },
          !numeric && !data.pu && {
            key: 'predicted',
            title: 'Predicted',
            value: i => (r.instance.predicted[i] === null ? '' : data.className(r.instance.predicted[i])),
            class: 'id',
            cell: i =>
                (r.instance.predicted[i] === null ?
                     '' :
                     [classTag(data, r.instance.predicted[i]), wrong(r, i) && h('span', {class: 'bad', title: 'misclassified'}, ' \u2717')])
          },
          {
            title: h('span', {class: 'hidden'}, 'Compare'),
            cell: i => i !== current &&
                h(
                           'button', {
                             type: 'button',
                             class: 'small',
                             title: 'Show next to the chosen one',
                             'aria-label': `Compare with ${data.instanceName(i)}`,
                             'aria-pressed': String(state.other === i),
                             onclick: () => state.set({instance: current, other: state.other === i ? null : i, beside: null})
                           },
                           'vs')
          },
        ].filter(Boolean),
        rows, state.by);
    fill(
        found, words.length ? table.said(rows.length, data.n, 'instance') : plural(rows.length, 'instance'),
        rows.some(detailed) ? '. Those with a dot have all details in this page.' : '.', ' ', rows.some(i => isPredicted(r, i)) ? SAMPLES[r.sample] : '',
        rows.some(i => !isPredicted(r, i)) && ` ${NOT_PREDICTED}`);
  }

  // ---- one instance in one run ----

  const waterfall = (slot, detail) => {
    const known = detail.terms.filter(row => row[2] !== null), told = known.filter(row => row[2] !== 0),
          shown = slot.all ? told : told.slice(0, BARS);
    const [restCount, restSum] = detail.rest || [0, 0];
    let at = detail.baseline ?? 0;
    const rows = [{label: 'baseline', from: at, to: at, text: total(at), kind: 'sum'}];
    for (const [t, value, part, error] of shown) {
      rows.push({
        label: data.name(t) +
            (value === 0                       ? ' (absent)' :
                 value !== 1 && value !== null ? ` = ${number(value)}` :
                                                 ''),
        from: at,
        to: at + part,
        error: error ?? 0,
        text: signed(part),
        chain: true,
        click: e => chooseTerm(t, e.ctrlKey || e.shiftKey),
        title: `${data.name(t)}\n${data.ids[t]}\n${signed(part)}${error > 0 ? ` \u00b1 ${number(error)}` : ''}`
      });
      at += part;
    }
    const others = told.slice(shown.length), sum = others.reduce((a, row) => a + row[2], restSum || 0),
          n = others.length + known.length - told.length + (restCount || 0), end = detail.number ?? detail.log_odds ?? at + sum;
    if (n > 0) rows.push({label: plural(n, 'other term'), from: at, to: at + sum, text: signed(sum), chain: true});
    if (Math.abs(end - at - sum) > ROUNDING * (numeric ? Math.max(1e-9, Math.abs(end)) : 1))
      rows.push({label: 'not explained', from: at + sum, to: end, text: signed(end - at - sum), chain: true});
    rows.push({label: 'prediction', from: end, to: end, text: total(end), kind: 'sum'});
    return {rows, told};
  };

  function verdictTable(slot, r, detail, has) {
    const parts = new Map(detail.terms.map(row => [row[0], row])), verdicts = new Map((detail.verdicts || []).map(row => [row[0], row]));
    const all = [...new Set([...parts.keys(), ...verdicts.keys()])];
    const kept = t => (verdicts.has(t) ? verdicts.get(t)[1] === 1 : parts.has(t) ? true : null);
    const why = (t, plain) => {
      if (!verdicts.has(t)) return plain ? '' : null;
      const [, , rule, by, score, other] = verdicts.get(t);
      const words =
          String(data.rules[rule] ?? rule ?? '')
              .split(/(\{\w+\})/)
              .map(
                  part => ({
                            '{by}': by >= 0 ? (plain ? data.name(by) :
                                                       h('button', {type: 'button', class: 'link', onclick: () => chooseTerm(by, false)},
                                                         clamp(data.name(by)))) :
                                              'another term',
                            '{score}': number(score),
                            '{other}': number(other),
                            '{term}': plain ? data.name(t) : clamp(data.name(t))
                          })[part] ??
                      part);
      return plain ? words.join('') : words;
    };
    slot.rows = all.filter(t => state.kept === '' || kept(t) === (state.kept === 'yes'));
    slot.columns = [
      {
        key: 'term',
        title: 'Term',
        class: 'label',
        value: t => data.name(t),
        cell: t =>
            [h('button', {type: 'button', class: 'link', onclick: e => chooseTerm(t, e.ctrlKey || e.shiftKey)}, clamp(data.name(t))),
             data.labels[t] && h('small', null, ' ' + data.shortId(t))]
      },
      {key: 'id', value: t => data.ids[t]},
      {
        key: 'value',
        title: 'Value',
        value: t =>
            (parts.has(t)   ? parts.get(t)[1] :
                 has.has(t) ? 1 :
                              null),
        cell: t => {
          const v = parts.has(t) ? parts.get(t)[1] : has.has(t) ? 1 : null;
          return v === 1 ? 'present' : v === 0 ? 'absent' : number(v);
        }
      },
      {
        key: 'contribution',
        title: 'Adds',
        numeric: true,
        value: t => parts.get(t)?.[2] ?? null,
        cell: t => {
          const v = parts.get(t)?.[2] ?? null;
          return v === null ? '' : h('span', {class: v < 0 ? 'against' : 'for'}, signed(v));
        }
      },
      {key: 'kept', value: t => (kept(t) ? 'kept' : 'dropped')},
      {
        key: 'why',
        title: 'Kept or dropped',
        class: 'why',
        value: t => why(t, true),
        cell: t => why(t, false) ?? (kept(t) ? 'kept' : 'dropped')
      },
    ];
    slot.table.update(slot.columns.filter(c => c.cell), slot.rows.slice(), '');
  }

  function drawSlotMap(slot, r, i, detail, has, centre, anchor) {
    const parts = new Map(detail.terms.map(row => [row[0], row[2]]));
    const verdicts = new Map((detail.verdicts || []).map(row => [row[0], row[1]]));
    const seeds = [...new Set([
      ...detail.terms.filter(row => row[2] !== 0).map(row => row[0]), ...[...verdicts].filter(([, kept]) => kept).map(([t]) => t),
      ...(detail.terms.length ? [] : has)
    ])];
    const mine = state.term.filter(t => parts.has(t) || has.has(t) || verdicts.has(t)), meets = meeting(data, mine);
    const inside = t => has.has(t) || parts.has(t) || seeds.includes(t);
    const largest = detail.terms.reduce((most, row) => Math.max(most, Math.abs(row[2] ?? 0)), 0) || 1;
    const onPath = new Set(mine.flatMap(t => [t, ...ancestors(data, t)]));
    let left = 0;
    const kept = most => {
      const picked = pick(data, seeds, most, [...mine, ...meets, ...state.open.filter(inside)]);
      left = seeds.filter(t => !picked.has(t)).length;
      return picked;
    };
    const sides = data.sidesOf(r.instance.predicted[i]);
    slot.map.drawFirst(NODES, JSON.stringify([r.number, i, state.lay]), most => ({
      data,
      graph: drawn(data, kept(most), new Set(state.shut), mine.length > 1 ? onPath : undefined),
      chosen: mine,
      meets,
      onPath,
      left: state.lay === 'left',
      centre,
      anchor,
      first: seeds[0],
      diverging: true,
      value: t => (parts.get(t) ?? null) === null ? null : parts.get(t) / largest,
      snug: true,
      amount: t => parts.get(t) ?? null,
      note: t =>
          ((parts.get(t) ?? null) !== null ? signed(parts.get(t)) :
               verdicts.get(t) === 0       ? 'dropped' :
                                             data.shortId(t)),
      faint: t => !has.has(t) || verdicts.get(t) === 0,
      legend: [[-1, sides[0]], [0, '0'], [1, sides[1]]],
    }));
    return left;
  }

  function fillSlot(slot, r, i, title, range, width, changes, compared) {
    const detail = r.details[i] && {terms: [], ...r.details[i]};
    const fact = (name, value) => (value === '' || value === null ? null : h('div', null, h('dt', null, name), h('dd', null, value)));
    const predicted = r.instance.predicted[i], p = r.instance.probability[i], odds = r.instance.log_odds[i] ?? detail?.log_odds ?? null;
    const facts = [fact('Run', r.name), fact('Fold', r.instance.fold[i] === null ? '' : count(r.instance.fold[i] + 1)), fact('Prediction is', sampled(r, i))];
    const head = [
      h('h2', {title: data.instance.keys[i]}, title),
      numeric && h('dl', {class: 'strip'}, fact(data.target, number(data.instance.targets[i])), fact('Predicted', number(r.instance.number[i])),
        fact('Off by', data.residual(r, i) === null ? '' : signed(data.residual(r, i))),
        fact('Baseline', detail && detail.baseline !== null && detail.baseline !== undefined ? number(detail.baseline) : ''),
        facts),
      !numeric && h('dl', {class: 'strip'}, fact('Class', data.className(data.instance.classes[i])),
        data.pu ? fact('Rank', r.place[i] === null ? '' : `${count(r.place[i])} of ${count(r.lists.candidates.length)}`) : fact(
            'Predicted',
            predicted === null ? '' : [data.className(predicted), wrong(r, i) && h('strong', {class: 'bad'}, ' \u2717 misclassified')]),
        fact(data.pu ? 'P(labelled)' : two ? `P(${data.className(data.positive)})` : 'Probability', chance(p)), fact('Log-odds', odds === null ? '' : signed(odds)),
        fact('Baseline', detail && detail.baseline !== null && detail.baseline !== undefined ? signed(detail.baseline) : ''),
        facts)
    ];
    slot.chart = null;
    slot.rows = [];
    if (!detail) {
      const known = Object.keys(r.details).length;
      return h(
          'article', {class: 'slot'}, head,
          h('p', {class: 'hint'},
            !isPredicted(r, i) ? NOT_PREDICTED :
            known ? `What adds up to this prediction is not in this page: it is there for ${
                        plural(known, 'instance')}, those with a dot in the list. hsel explore \u2026 --instance ${
                        data.instance.keys[i]} puts it in.` :
                    'This page has only predictions, without contributions.'));
    }
    const has = new Set(detail.has || []), {rows, told} = waterfall(slot, detail);
    const chart =
        told.length > 0 && bars(`Contributions to the ${outcome(r, i)}`, rows, width, range, range && compared ? width * 0.4 : undefined);
    slot.chart = chart ? chart.picture : null;
    verdictTable(slot, r, detail, has);
    const path = detail.reasoning === 'path' && told.length === 0 && detail.terms.length > 0 &&
        h('ol', {class: 'path'},
          detail.terms.map(
              ([t, value]) =>
                  h('li', null, h('button', {type: 'button', class: 'link', onclick: () => chooseTerm(t, false)}, data.name(t)),
                    value === 1     ? ' present' :
                        value === 0 ? ' absent' :
                                      ` = ${number(value)}`)));
    const note = h('p', {class: 'found'}), shares = (detail.neighbours || []).some(row => row[4] + row[5] + row[6] > 0);
    const shown =
        h('article', {class: 'slot'}, head,
          h('section', null, h('h3', null, `What adds up to the ${outcome(r, i)}`),
            h('p', {class: 'hint'}, (numeric ? OF_NUMBERS : REASONING)[detail.reasoning] || REASONING.terms,
              detail.log_odds_of && ` All of this is ${detail.log_odds_of}, which changes the probability and the log-odds above.`),
            chart && chart.element, path,
            told.length > BARS &&
                h('button', {type: 'button', class: 'link', onclick: () => ((slot.all = !slot.all), keepFocus(api.update))},
                  slot.all ? 'Show fewer bars' : `Show all ${count(told.length)} bars`)),
          h('section', null, h('h3', null, 'Its part of the hierarchy'), note, slot.map.element),
          h('section', null, h('h3', null, 'Its terms, and why each was kept or dropped'),
            choice('Show', [['', 'all'], ['yes', 'kept'], ['no', 'dropped']], state.kept, kept => state.set({kept})), slot.table.element),
          detail.neighbours && detail.neighbours.length > 0 &&
              h('section', null, h('h3', null, 'Nearest neighbours'),
                h('div', {class: 'scroll'},
                  h('table', null,
                    h('thead', null,
                      h('tr', null,
                        ['Instance', numeric ? data.target : 'Class', 'Distance', ...(shares ? ['Terms shared', 'Only here', 'Only there'] : [])]
                            .map((text, c) => h('th', {scope: 'col', class: c > 1 ? 'number' : null}, text)))),
                    h('tbody', null,
                      detail.neighbours.map(
                          ([j, id, c, distance, shared, here, there]) =>
                              h('tr', null,
                                h('th', {scope: 'row', class: 'label'},
                                  j >= 0 && j < data.n ?
                                      h('button', {type: 'button', class: 'link', onclick: () => choose(j)}, data.instanceName(j)) :
                                      id),
                                h('td', null, numeric ? number(c) : classTag(data, c)),
                                [number(distance), ...(shares ? [count(shared), count(here), count(there)] : [])].map(
                                    text => h('td', {class: 'number'}, text)))))))));
    slot.finish = () => {
      const left = drawSlotMap(slot, r, i, detail, has, changes.one, changes.anchor);
      fill(note, left > 0 ? `${count(left)} more terms with little weight are not drawn.` : '');
    };
    return shown;
  }

  function showDifference(shown) {
    const parts = shown.map(([r, i]) => r.details[i] && new Map((r.details[i].terms || []).map(row => [row[0], row[2]])));
    different = [];
    if (shown.length < 2 || !parts[0] || !parts[1]) return fill(difference);
    const value = (side, t) => parts[side].get(t) ?? null;
    different =
        [...new Set([...parts[0].keys(), ...parts[1].keys()])]
            .filter(t => value(0, t) !== value(1, t))
            .sort((a, b) => Math.abs((value(1, b) ?? 0) - (value(0, b) ?? 0)) - Math.abs((value(1, a) ?? 0) - (value(0, a) ?? 0)) || a - b);
    const titles = shown.map(([r, i]) => (shown[0][1] === shown[1][1] ? r.name : data.calledInstance(i)));
    const cell = v => (v === null ? '\u2013' : h('span', {class: v < 0 ? 'against' : 'for'}, signed(v)));
    differences.update(
        [
          {
            title: 'Term',
            class: 'label',
            cell: t => h('button', {type: 'button', class: 'link', onclick: () => chooseTerm(t, false)}, data.name(t))
          },
          {title: titles[0], numeric: true, cell: t => cell(value(0, t))}, {title: titles[1], numeric: true, cell: t => cell(value(1, t))},
          {title: 'Difference', numeric: true, cell: t => signed((value(1, t) ?? 0) - (value(0, t) ?? 0))}
        ],
        different.slice(), '');
    fill(
        difference,
        h('details', {open: true}, h('summary', null, `What differs: ${plural(different.length, 'term')}`), differences.element));
    different = [['term', 'label', ...titles], ...different.map(t => [data.ids[t], data.labels[t], value(0, t), value(1, t)])];
  }

  const known = !data.pu ? [] :
                           Array.from({length: data.n}, (_, i) => i)
                               .filter(i => data.instance.classes[i] === data.positive)
                               .sort((a, b) => data.instanceName(a).localeCompare(data.instanceName(b)));
  const api = {
    element,
    update() {
      const r = run();
      if (search.value !== state.find) search.value = state.find;
      picker(r);
      const i = current;
      const others = data.runs.filter(other => other !== r);
      fill(compare, i !== null && [
        others.length > 0 &&
            choice(
                'Beside it, the run', [['', 'none'], ...others.map(other => [other.number, other.name])], state.beside ?? '',
                value => state.set({instance: i, beside: value === '' ? null : Number(value), other: null})),
        data.pu &&
            choice(
                'Next to it, the known', [['', 'none'], ...known.filter(j => j !== i).map(j => [j, data.instanceName(j)])],
                known.includes(state.other) ? state.other : '',
                value => state.set({instance: i, other: value === '' ? null : Number(value), beside: null})),
        (state.other !== null || state.beside !== null) &&
            h('button', {type: 'button', onclick: () => state.set({other: null, beside: null})}, 'Show one only'),
        state.other === null && state.beside === null &&
            h('span', {class: 'hint'}, '\u201cvs\u201d in the list shows another instance next to it.')
      ]);
      if (i === null) {
        fill(
            slots,
            h('p', {class: 'hint'}, data.n === 0 ? 'This page has no instances.' : 'No instance is found.'));
        fill(difference);
        pair.forEach(slot => (slot.chart = null));
        last = {};
        return;
      }
      const shown = [[r, i]];
      if (state.other !== null)
        shown.push([r, state.other]);
      else if (state.beside !== null)
        shown.push([data.runs[state.beside], i]);
      slots.classList.toggle('two', shown.length === 2);
      const room = slots.clientWidth || 600, width = Math.max(260, shown.length === 2 && room > 700 ? (room - 24) / 2 - 2 : room - 2);
      const ranges =
          shown.map(([which, who], s) => which.details[who] && extent(waterfall(pair[s], {terms: [], ...which.details[who]}).rows, !numeric))
              .filter(Boolean);
      const range = ranges.length ? [Math.min(...ranges.map(x => x[0])), Math.max(...ranges.map(x => x[1]))] : undefined;
      const newTerm = JSON.stringify(state.term) !== last.term, key = JSON.stringify(shown.map(([which, who]) => [which.number, who]));
      const changes = {
        one: newTerm && last.key === key && state.term.length ? state.term[state.term.length - 1] : null,
        anchor: last.key === key ? [...state.shut, ...(last.shut || [])].find(t => state.shut.includes(t) !== last.shut.includes(t)) ??
                (state.open.length !== last.open.length ? last.opened : undefined) :
                                   undefined,
      };
      pair.forEach(slot => (slot.finish = null));
      fill(
          slots,
          shown.map(([which, who], s) => fillSlot(pair[s], which, who, data.instanceName(who), range, width, changes, shown.length > 1)));
      pair.forEach(slot => slot.finish && slot.finish());
      showDifference(shown);
      last = {term: JSON.stringify(state.term), key, shut: state.shut, open: state.open};
    },
    opening(t) {
      last.opened = t;
    },
    exports() {
      const all = [{
        name: 'instances',
        title: 'List of instances',
        table: () => csv([
          ['instance', 'id', 'label', ...(numeric ? ['target', 'predicted'] : ['class', 'predicted', 'probability', 'log_odds']), ...(data.pu ? ['score', 'rank'] : []), 'sample'],
          ...table.rows().map(i => [i + 1, data.instance.ids[i], data.instance.labels[i],
              ...(numeric ? [data.instance.targets[i], run().instance.number[i]] :
                  [data.instance.classes[i] === null ? null : data.className(data.instance.classes[i]),
                   run().instance.predicted[i] === null ? null : data.className(run().instance.predicted[i]), run().instance.probability[i],
                   run().instance.log_odds[i]]), ...(data.pu ? [run().instance.score[i], run().place[i]] : []), sampled(run(), i)])
        ])
      }];
      pair.forEach((slot, s) => {
        if (!slot.chart && slot.rows.length === 0) return;
        const more = s ? ' of the second' : '';
        if (slot.chart) all.push({name: `contributions${s + 1}`, title: 'Contributions' + more, picture: slot.chart});
        if (slot.finish)
          all.push({name: `hierarchy${s + 1}`, title: 'Hierarchy' + more, picture: slot.map.picture(), graph: slot.map.graph()});
        all.push({
          name: `terms${s + 1}`,
          title: 'Terms' + more,
          table: () => csv([slot.columns.map(c => c.key), ...slot.rows.map(t => slot.columns.map(c => c.value(t)))])
        });
      });
      if (different.length) all.push({name: 'differences', title: 'Differences', table: () => csv(different)});
      return all;
    },
  };
  return api;
}
