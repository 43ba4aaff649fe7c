// SPDX-License-Identifier: GPL-3.0-or-later
// Which terms of the hierarchy are drawn, and how those that are not drawn between them are told of. Nothing here touches the page.

function reach(next, starts) {
  const found = new Set(), stack = [...starts];
  while (stack.length) {
    for (const t of next[stack.pop()]) {
      if (!found.has(t)) {
        found.add(t);
        stack.push(t);
      }
    }
  }
  return found;
}

const known = new WeakMap();
export function ancestors(data, t) {
  if (!known.has(data)) known.set(data, new Map());
  const sets = known.get(data);
  if (!sets.has(t)) sets.set(t, reach(data.parents, [t]));
  return sets.get(t);
}

// The lowest common ancestors: where the terms meet. One of the terms itself, if it is above the others.
export function meeting(data, terms) {
  if (terms.length < 2) return [];
  const common = [...ancestors(data, terms[0]), terms[0]].filter(a => terms.every(t => t === a || ancestors(data, t).has(a)));
  return common.filter(a => !common.some(other => other !== a && ancestors(data, other).has(a))).sort((a, b) => a - b);
}

// As many of the seeds, in their order, as fit under the cap with the roots above them and with terms that join them; `always` is drawn whatever
// the cap is.
export function pick(data, seeds, cap, always) {
  const kept = new Set();
  const add = t => {
    kept.add(t);
    ancestors(data, t).forEach(a => data.parents[a].length === 0 && kept.add(a));
  };
  always.forEach(add);
  const room = Math.max(1, Math.floor(cap * 0.8));
  for (const t of seeds)
    if (kept.size < room) add(t);
  for (let more = Math.floor(kept.size / 4); more > 0; more--) {
    const join = bestJoin(data, kept);
    if (join === null) break;
    kept.add(join);
  }
  return kept;
}

// The term that parts best what is drawn below one term into what is below itself and the rest; null if none joins two.
function bestJoin(data, kept) {
  const below = new Map();  // for each term: the drawn terms below it without another drawn term between
  for (const x of kept) {
    const above = ancestors(data, x), between = [...above].filter(b => kept.has(b));
    const covered = new Set(between.flatMap(b => [...ancestors(data, b)]));
    for (const a of above)
      if (!covered.has(a)) below.set(a, (below.get(a) || 0) + 1);
  }
  let best = null, most = 0;
  for (const [a, n] of below) {
    if (n < 2 || kept.has(a)) continue;
    const around = Math.max(0, ...[...ancestors(data, a)].filter(b => kept.has(b)).map(b => below.get(b) || 0));
    const gain = n * (around - n);
    if (gain > most || (gain === most && best !== null && (data.depth[a] ?? 0) > (data.depth[best] ?? 0))) [best, most] = [a, gain];
  }
  return best;
}

// The drawn graph: nodes, and edges from parent to child. An edge over terms that are not drawn has them in `hidden`; a child has one,
// to its deepest drawn ancestor, if it has no drawn parent, and all of them if it is in `full`. `gaps`: for each child, all its ancestors up to drawn ones. What is only below collapsed
// terms is left out and counted in `below`.
export function drawn(data, kept, collapsed, full = new Set()) {
  const edges = [], gaps = new Map();
  for (const child of kept) {
    data.parents[child].forEach(
        (parent, i) => kept.has(parent) && edges.push({parent, child, hidden: [], relation: (data.relation[child] || [])[i] ?? 0}));
    const ends = new Set(), seen = new Set(), stack = data.parents[child].filter(p => !kept.has(p));
    while (stack.length) {
      const t = stack.pop();
      if (seen.has(t)) continue;
      seen.add(t);
      for (const p of data.parents[t]) {
        if (kept.has(p))
          ends.add(p);
        else
          stack.push(p);
      }
    }
    const direct = data.parents[child].filter(p => kept.has(p));
    const nearest = [...ends].filter(
        parent => ![...ends, ...direct].some(other => (other === parent ? direct.includes(parent) : ancestors(data, other).has(parent))));
    if (seen.size) gaps.set(child, [...seen].sort((a, b) => a - b));
    nearest.sort((a, b) => ancestors(data, b).size - ancestors(data, a).size || a - b);
    for (const parent of nearest.slice(0, full.has(child) ? nearest.length : direct.length ? 0 : 1)) {
      edges.push({parent, child, hidden: gaps.get(child).filter(t => ancestors(data, t).has(parent)), relation: null});
    }
  }
  const below = new Map(), children = new Map([...kept].map(t => [t, []])), hasParent = new Set();
  for (const edge of edges) {
    children.get(edge.parent).push(edge.child);
    hasParent.add(edge.child);
  }
  const visible = new Set([...kept].filter(t => !hasParent.has(t)));
  for (const t of visible) {  // a set that grows while it is walked
    if (!collapsed.has(t)) children.get(t).forEach(child => visible.add(child));
  }
  for (const t of collapsed) {
    if (!visible.has(t)) continue;
    const hidden = [...reach({...Object.fromEntries(children)}, [t])].filter(d => !visible.has(d)).length;
    if (hidden > 0) below.set(t, hidden);
  }
  const nodes = [...visible].sort((a, b) => a - b);
  const shown = edges.filter(e => visible.has(e.parent) && visible.has(e.child) && !collapsed.has(e.parent));
  return {nodes, edges: shown, gaps, below, parents: new Set(edges.map(e => e.parent))};
}
