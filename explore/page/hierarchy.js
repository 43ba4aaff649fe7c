// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing of terms in layers: zoom, pan, keys, marks. It is told what to draw (graph.js) and tells what was clicked.
import {select, event} from 'd3-selection';
import {zoom, zoomIdentity} from 'd3-zoom';
import {FONT, count, fill, h, palette, plural, shorten, svg, textWidth, tint, wrap} from './dom.js';
import {given, place} from './layout.js';

const SIZE = 12, SMALL = 10, LINE = 14, WIDE = 150, PILL = 72, ABOVE = 18, READABLE = 0.5;
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 4', '10 4'];

function curve(points) {
  let path = `M${points[0].x},${points[0].y}`;
  for (let i = 1; i < points.length - 1; i++) {
    const next = i === points.length - 2 ? points[i + 1] : {x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2};
    path += `Q${points[i].x},${points[i].y} ${next.x},${next.y}`;
  }
  return points.length === 2 ? path + `L${points[1].x},${points[1].y}` : path;
}

// label: what a screen reader calls the drawing. actions: choose(t, more), open(terms, t), shut(t).
export function createHierarchy(label, actions) {
  const inner = svg('g');
  const picture = svg('svg', {role: 'group', 'aria-label': label, class: 'map', 'font-family': FONT}, inner);
  const legend = h('div', {class: 'legend'});
  const box =
      h('div', {class: 'mapbox'}, picture,
        h('div', {class: 'mapbuttons'},
          h('button', {type: 'button', title: 'Zoom in', 'aria-label': 'Zoom in', onclick: () => scale(1.4)}, '+'),
          h('button', {type: 'button', title: 'Zoom out', 'aria-label': 'Zoom out', onclick: () => scale(1 / 1.4)}, '\u2212'),
          h('button', {type: 'button', title: 'Show all of it', onclick: fit}, 'Fit')));
  const element = h('div', {class: 'hierarchy'}, box, legend);
  const behaviour = zoom().scaleExtent([0.01, 4]).clickDistance(4).on('zoom', () => inner.setAttribute('transform', event.transform));
  const view = select(picture).call(behaviour).on('dblclick.zoom', null);
  let placed = {nodes: [], edges: [], width: 0, height: 0}, at = new Map(), key = null, spec = null, entry = null, groups = new Map(), found = null, seen = at;

  const scale = factor => behaviour.scaleBy(view, factor);
  const room = () => ({width: picture.clientWidth || 600, height: picture.clientHeight || 400});
  const moveTo = transform => behaviour.transform(view, transform);

  // The scale at which all of it is seen, the buttons of the frame apart.
  const TOP = 40, tall = () => (spec.snug ? 520 : room().height);
  const size = () => Math.min(1.1, (room().width - 24) / (placed.width || 1), (tall() - TOP - 16) / (placed.height || 1));

  function fit() {
    const {width, height} = room(), k = Math.min(size(), (height - TOP - 16) / (placed.height || 1));
    moveTo(zoomIdentity.translate((width - placed.width * k) / 2, TOP + (height - TOP - 8 - placed.height * k) / 2).scale(k));
  }

  // All of these terms at once.
  function frame(terms) {
    const boxes = terms.filter(t => at.has(t)).map(t => at.get(t)), {width, height} = room();
    const ends = (axis, side) => [Math.min(...boxes.map(b => b[axis] - b[side] / 2)), Math.max(...boxes.map(b => b[axis] + b[side] / 2))];
    const [left, right] = ends('x', 'width'), [top, bottom] = ends('y', 'height');
    const k = Math.min(1, (width - 40) / (right - left), (height - 90) / (bottom - top));
    moveTo(zoomIdentity.translate(width / 2 - (left + right) / 2 * k, height / 2 + 20 - (top + bottom) / 2 * k).scale(k));
  }

  function centre(t) {
    const node = at.get(t), {width, height} = room();
    if (!node) return;
    const k = Math.max(0.8, picture.__zoom.k);
    moveTo(zoomIdentity.translate(width / 2 - node.x * k, height / 2 - node.y * k).scale(k));
  }

  const wrapped = t => wrap(spec.data.name(t), SIZE, WIDE - 16, 4);
  const noted = t => shorten(spec.note(t), SMALL, WIDE - 16);

  // Finds places for what is to be drawn, unless they are known; true if it did.
  function arrange() {
    const {graph} = spec;
    const drawnKey = JSON.stringify(
        [graph.nodes, graph.edges.map(e => [e.parent, e.child, e.hidden.length]), [...graph.below], [...graph.gaps.keys()], spec.left, !spec.layout, room().width]);
    const moved = drawnKey !== key;
    if (moved) {
      const lines = new Map(graph.nodes.map(t => [t, wrapped(t)]));
      const sizes = new Map(graph.nodes.map(t => [t, {
                                              width: Math.max(
                                                  72,
                                                  Math.min(
                                                      WIDE,
                                                      16 +
                                                          Math.max(
                                                              textWidth(noted(t), SMALL), graph.gaps.has(t) ? PILL - 16 : 0,
                                                              ...lines.get(t).map(line => textWidth(line, SIZE))))),
                                              height: 10 + LINE * lines.get(t).length + 12 + (graph.gaps.has(t) ? ABOVE : 0),
                                            }]));
      const start = performance.now();
      placed = spec.layout ? given(graph, sizes, spec.layout) : place(graph, sizes, spec.left);
      performance.measure('layout', {start});
      at = new Map(placed.nodes.map(node => [node.key, node]));
      key = drawnKey;
    }
    return moved;
  }

  // Draws as much as can be read when all of it is seen: specOf(cap) for the first of the caps that is not too large, or the last. What was found for
  // the same `about` is kept, so that a click does not change how much is drawn.
  function drawFirst(caps, about, specOf) {
    const shown = spec, context = `${about}${caps}${room().width}`;
    let cap = found && found.context === context ? found.cap : null;
    for (const next of cap === null ? caps : []) {
      cap = next;
      spec = specOf(cap);
      arrange();
      if (size() >= READABLE) break;
    }
    found = {context, cap};
    spec = shown;
    draw(specOf(cap));
    return {spec, cap};
  }

  function draw(next) {
    const colours = palette(), before = seen, anchor = spec && next.anchor !== undefined ? next.anchor : null;
    spec = next;
    const {data, graph} = spec;
    const moved = arrange() || at !== seen, lines = new Map(graph.nodes.map(t => [t, wrapped(t)]));
    seen = at;
    if (at.has(spec.centre)) entry = spec.centre;
    if (!at.has(entry)) entry = spec.chosen.find(t => at.has(t)) ?? (at.has(spec.first) ? spec.first : graph.nodes[0]);
    const lit = e => spec.onPath.has(e.child) && spec.onPath.has(e.parent);
    const edges = placed.edges.map(
        ({edge, points}) =>
            svg('path', {
              d: curve(points),
              fill: 'none',
              stroke: lit(edge)      ? colours.chosen :
                  edge.hidden.length ? colours.soft :
                                       mixed(colours, edge),
              'stroke-width': lit(edge) ? 2.2 : 1.1,
              'stroke-dasharray': edge.hidden.length ? '1 3' : DASHES[edge.relation % DASHES.length] || null,
            },
                svg('title', null,
                    edge.hidden.length ? plural(edge.hidden.length, 'term') + ' between' : data.relations[edge.relation] || 'is_a')));
    groups = new Map();
    const nodes = placed.nodes.map(node => {
      const t = node.key, chosen = spec.chosen.includes(t), meets = spec.meets.includes(t), {width} = node, hidden = graph.gaps.get(t);
      const height = node.height - (hidden ? ABOVE : 0), open = e => (e.stopPropagation(), actions.open(hidden, t));
      const value = spec.value(t), hue = spec.hue && spec.hue(t), below = graph.below.get(t);
      const group = svg(
          'g', {
            class: 'node',
            role: 'button',
            tabindex: t === entry ? 0 : -1,
            transform: `translate(${node.x},${node.y + (hidden ? ABOVE / 2 : 0)})`,
            'data-term': data.ids[t],
            'aria-pressed': String(chosen),
            'aria-label': [
              data.name(t), data.ids[t], spec.note(t), meets && 'here the chosen terms meet',
              below && `collapsed, ${plural(below, 'term')} below`, hidden && `${plural(hidden.length, 'term')} left out above`
            ].filter(Boolean).join(', '),
            onclick: e => actions.choose(t, e.ctrlKey || e.metaKey || e.shiftKey),
            onkeydown: e => press(e, t),
            onfocus: () => enter(t),
          },
          svg('title', null, `${data.name(t)}\n${data.ids[t]}\n${spec.note(t)}`),
          chosen || meets ? svg('rect', {
            x: -width / 2 - 3,
            y: -height / 2 - 3,
            width: width + 6,
            height: height + 6,
            rx: 8,
            fill: 'none',
            stroke: chosen ? colours.chosen : colours.meet,
            'stroke-width': 2.5,
            'stroke-dasharray': meets && !chosen ? '5 3' : null
          }) :
                            null,
          svg('rect', {
            class: 'body',
            x: -width / 2,
            y: -height / 2,
            width,
            height,
            rx: 5,
            fill: tint(colours, value, spec.diverging, hue),
            stroke: spec.onPath.has(t) ? colours.chosen : colours.line,
            'stroke-dasharray': spec.faint && spec.faint(t) ? '3 2' : null
          }),
          hue !== undefined && hue !== null && svg('rect', {x: -width / 2, y: -height / 2, width: 6, height, rx: 3, fill: colours.hues[hue]}),
          lines.get(t).map(
              (line, i) =>
                  svg('text', {'text-anchor': 'middle', y: -height / 2 + 15 + i * LINE, 'font-size': SIZE, fill: colours.ink}, line)),
          svg('text', {'text-anchor': 'middle', y: height / 2 - 5, 'font-size': SMALL, fill: colours.ink, 'fill-opacity': 0.8},
              noted(t)),
          hidden ? svg('g', {
            class: 'gap',
            role: 'button',
            tabindex: -1,
            transform: `translate(0,${- height / 2 - ABOVE / 2})`,
            'aria-label': `Show ${plural(hidden.length, 'term')} above ${data.name(t)}`,
            onclick: open
          },
                       svg('title', null, hidden.slice(0, 12).map(data.name).join('\n') + (hidden.length > 12 ? '\n\u2026' : '')),
                       svg('rect', {
                         x: -PILL / 2,
                         y: -7,
                         width: PILL,
                         height: 14,
                         rx: 7,
                         fill: colours.ground,
                         stroke: spec.onPath.has(t) ? colours.chosen : colours.line
                       }),
                       svg('text', {'text-anchor': 'middle', y: 3.5, 'font-size': SMALL, fill: colours.soft},
                           `\u2026 ${plural(hidden.length, 'term')} \u2026`)) :
                   null,
          graph.parents.has(t) ? svg('g', {
            class: 'fold',
            transform: spec.left ? `translate(${width / 2 + 6},0)` : `translate(0,${height / 2 + 6})`,
            onclick: e => (e.stopPropagation(), actions.shut(t))
          },
                                     svg('title', null, below ? `Show ${plural(below, 'term')} below` : 'Hide what is below'), svg('rect', {
                                       x: below ? -16 : -6,
                                       y: -6,
                                       width: below ? 32 : 12,
                                       height: 12,
                                       rx: 6,
                                       fill: colours.ground,
                                       stroke: colours.soft
                                     }),
                                     svg('text', {'text-anchor': 'middle', y: 3.5, 'font-size': SMALL, fill: colours.ink},
                                         below ? '+' + count(below) : '\u2212')) :
                                                                null);
      groups.set(t, group);
      return group;
    });
    fill(inner, edges, nodes);
    drawLegend(colours);
    if (spec.snug) box.style.height = `${Math.round(Math.max(180, Math.min(520, placed.height * size() + TOP + 16)))}px`;
    if (!picture.clientWidth) return;  // not in sight yet
    const k = picture.__zoom.k;
    if (anchor !== null && before.has(anchor) && at.has(anchor)) {
      behaviour.translateBy(view, before.get(anchor).x - at.get(anchor).x, before.get(anchor).y - at.get(anchor).y);
    } else if (spec.centre !== null && spec.centre !== undefined && at.has(spec.centre))
      spec.chosen.length > 1 ? frame([...spec.chosen, ...spec.meets]) : centre(spec.centre);
    else if (moved || !k)
      fit();
  }

  const mixed = (colours, edge) => (edge.relation % 6 === 0 ? colours.soft : colours.ink);

  function drawLegend(colours) {
    const sample = ([value, text, hue]) => h(
        'span', {class: 'sample'},
        svg('svg', {width: 16, height: 12, 'aria-hidden': 'true'},
            svg('rect', {x: 0.5, y: 0.5, width: 15, height: 11, rx: 3, fill: tint(colours, value, spec.diverging, hue), stroke: colours.line}),
            hue !== undefined && svg('rect', {x: 0.5, y: 0.5, width: 5, height: 11, rx: 2, fill: colours.hues[hue]})),
        text);
    const stroke = (dash, text, colour = colours.soft) =>
        h('span', {class: 'sample'},
          svg('svg', {width: 26, height: 12, 'aria-hidden': 'true'},
              svg('line', {x1: 0, x2: 26, y1: 6, y2: 6, stroke: colour, 'stroke-width': 1.5, 'stroke-dasharray': dash || null})),
          text);
    const ring = (colour, dash, text) => h(
        'span', {class: 'sample'},
        svg('svg', {width: 16, height: 12, 'aria-hidden': 'true'},
            svg('rect',
                {x: 1.5, y: 1.5, width: 13, height: 9, rx: 3, fill: 'none', stroke: colour, 'stroke-width': 2, 'stroke-dasharray': dash})),
        text);
    const used = new Set(spec.graph.edges.filter(e => !e.hidden.length).map(e => e.relation));
    fill(
        legend,
        spec.graph.nodes.some(t => spec.value(t) !== null) && spec.legend.map(sample),
        [...used].sort((a, b) => a - b).map(r => stroke(DASHES[r % DASHES.length], spec.data.relations[r] || 'is_a', mixed(colours, {
                                                          relation: r
                                                        }))),
        spec.graph.edges.some(e => e.hidden.length) && stroke('1 3', 'over terms not drawn'),
        spec.chosen.length > 0 && ring(colours.chosen, null, 'chosen'),
        spec.meets.length > 0 && ring(colours.meet, '5 3', 'where they meet'),
        spec.faint && h('span', {class: 'sample'}, 'dashed outline: dropped or not of the instance'));
  }

  function enter(t) {
    if (groups.has(entry)) groups.get(entry).setAttribute('tabindex', -1);
    entry = t;
    groups.get(t).setAttribute('tabindex', 0);
  }

  // Arrows go to the nearest node that way; Enter chooses, Space adds, C collapses, O opens what is left out above.
  function press(e, t) {
    const way = {ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0]}[e.key];
    if (way) {
      const here = at.get(t);
      let best = null, shortest = Infinity;
      for (const node of placed.nodes) {
        const dx = node.x - here.x, dy = node.y - here.y, ahead = dx * way[0] + dy * way[1],
              aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
        if (ahead > 4 && ahead + 2 * aside < shortest) {
          shortest = ahead + 2 * aside;
          best = node.key;
        }
      }
      if (best !== null) {
        groups.get(best).focus({preventScroll: true});
        const box = groups.get(best).getBoundingClientRect(), frame = picture.getBoundingClientRect();
        if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom) centre(best);
      }
    } else if (e.key === 'Enter')
      actions.choose(t, e.shiftKey);
    else if (e.key === ' ')
      actions.choose(t, true);
    else if (e.key === 'c' && spec.graph.parents.has(t))
      actions.shut(t);
    else if (e.key === 'o' && spec.graph.gaps.has(t))
      actions.open(spec.graph.gaps.get(t), t);
    else if (e.key === '+')
      scale(1.4);
    else if (e.key === '-')
      scale(1 / 1.4);
    else
      return;
    e.preventDefault();
  }

  // On paper all of the drawing is seen.
  let unprinted = null;
  addEventListener('beforeprint', () => {
    if (!picture.isConnected || !spec) return;
    unprinted = picture.__zoom;
    fit();
  });
  addEventListener('afterprint', () => {
    if (unprinted) moveTo(unprinted);
    unprinted = null;
  });

  return {
    element,
    draw,
    drawFirst,
    // What is seen, for export.js.
    picture: () => ({inner, width: placed.width, height: placed.height, margin: 12}),
    graph: () => ({
      nodes: placed.nodes.map(
          node =>
              ({t: node.key, x: node.x, y: node.y, note: spec.note(node.key), contribution: spec.amount ? spec.amount(node.key) : null})),
      edges: placed.edges.map(
          ({edge}) => ({...edge, relation: edge.hidden.length ? 'ancestor' : spec.data.relations[edge.relation] || 'is_a'})),
    }),
  };
}
