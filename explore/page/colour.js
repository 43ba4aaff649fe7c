// SPDX-License-Identifier: GPL-3.0-or-later
// What the colour of a term says in a drawing: for or against a class (or a number), which class it speaks for, or how often it is selected.
import {choice, count, signed} from './dom.js';

// For hierarchy.js: value(t) from -1 to 1, or null; hue(t): the colour of a class, where classes have colours of their own; note(t); legend: [value, text, hue].
export function colouring(data, run, state) {
  const known = of => t => of(t) ?? null;
  if (state.colour === 'selection' || !run.hasContribution)
    return {
      value: t => (run.selected[t] === null ? null : run.selected[t] / run.most),
      note: t => (run.selected[t] === null ? '' : `${count(run.selected[t])} of ${count(run.most)}`),
      amount: known(t => run.contribution[t]),
      legend: [[0, 'never selected'], [1, `in all ${count(run.most)}`]],
    };
  if (!data.many)
    return {
      diverging: true,
      value: t => (run.contribution[t] === null ? null : run.contribution[t] / run.largest),
      note: t => (run.contribution[t] === null ? data.shortId(t) : signed(run.contribution[t])),
      amount: known(t => run.contribution[t]),
      legend: [[-1, data.sides[0]], [0, '0'], [1, data.sides[1]]],
    };
  const chosen = data.classes[state.class] === undefined ? null : Number(state.class);
  const amount = known(t => data.correlation[chosen ?? run.direction[t]]?.[t]);
  const value = t => (amount(t) === null ? null : amount(t) / data.leaning);
  if (chosen !== null)
    return {
      diverging: true,
      value,
      amount,
      note: t => (amount(t) === null ? data.shortId(t) : signed(amount(t))),
      legend: [[-1, `against ${data.className(chosen)}`], [0, '0'], [1, `for ${data.className(chosen)}`]],
    };
  return {
    value,
    amount,
    hue: t => (run.direction[t] === null ? null : data.hues[run.direction[t]]),
    note: t => (amount(t) === null ? data.shortId(t) : `${signed(amount(t))} ${data.className(run.direction[t])}`),
    legend: [
      ...data.classes.flatMap((name, c) => (data.hues[c] === null ? [] : [[1, `for ${name}`, data.hues[c]]])),
      ...(data.hues.includes(null) ? [[null, 'for another class']] : [])
    ],
  };
}

export const colourChoices = (data, run, state) => run.hasContribution && [
  choice(
      'Colour', [['contribution', data.many ? 'class it is evidence for' : run.contributionName], ['selection', 'how often selected']], state.colour,
      colour => state.set({colour})),
  data.many && state.colour !== 'selection' &&
      choice(
          'Class', [['', 'each in its colour'], ...data.classes.map((name, c) => [c, `${name} against the rest`])], state.class,
          value => state.set({class: value})),
];
