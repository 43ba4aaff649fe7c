// SPDX-License-Identifier: GPL-3.0-or-later
// Places for the nodes of a graph: each connected part in layers by dagre, parts beside each other in rows; or those that the page came with.
import dagre from 'dagre';

function parts(keys, edges) {
  const next = new Map(keys.map(key => [key, []])), found = [], seen = new Set();
  edges.forEach(({parent, child}) => {
    next.get(parent).push(child);
    next.get(child).push(parent);
  });
  for (const key of keys) {
    if (seen.has(key)) continue;
    const part = [key];
    seen.add(key);
    for (const at of part) {
      for (const other of next.get(at)) {
        if (!seen.has(other)) {
          seen.add(other);
          part.push(other);
        }
      }
    }
    found.push(part);
  }
  return found;
}

// How many layers each node lies below its parents: one, or more for leaves where a layer would be much wider than the drawing is high.
function steps(keys, edges, wide) {
  const parents = new Map(keys.map(key => [key, []])), leaf = new Set(keys), layer = new Map();
  edges.forEach(({parent, child}) => {
    parents.get(child).push(parent);
    leaf.delete(parent);
  });
  const depth = key => {
    if (!layer.has(key)) {
      layer.set(key, 0);
      layer.set(key, Math.max(0, ...parents.get(key).map(p => depth(p) + 1)));
    }
    return layer.get(key);
  };
  const rows = [];
  keys.forEach(key => (rows[depth(key)] ||= []).push(key));
  for (let i = 0; i < rows.length; i++) {
    const movable = (rows[i] ||= []).filter(key => leaf.has(key) && parents.get(key).length > 0);
    for (const key of movable.slice(Math.max(0, wide - (rows[i].length - movable.length)))) {
      layer.set(key, i + 1);
      (rows[i + 1] ||= []).push(key);
    }
  }
  return ({child}) => Math.max(1, leaf.has(child) ? layer.get(child) - Math.max(...parents.get(child).map(p => layer.get(p))) : 1);
}

function layers(keys, edges, sizes, left) {
  const step = steps(keys, edges, Math.max(6, Math.ceil(Math.sqrt(keys.length) * (left ? 2 : 1.1))));
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({
    rankdir: left ? 'LR' : 'TB',
    nodesep: left ? 10 : 14,
    ranksep: left ? 36 : 30,
    edgesep: 8,
    ranker: keys.length > 150 ? 'tight-tree' : 'network-simplex'
  });
  keys.forEach(key => graph.setNode(key, {...sizes.get(key)}));
  edges.forEach(edge => graph.setEdge(edge.parent, edge.child, {minlen: step(edge), edge}));
  dagre.layout(graph);
  return {
    width: graph.graph().width,
    height: graph.graph().height,
    nodes: keys.map(key => ({key, ...graph.node(key)})),
    edges: graph.edges().map(name => graph.edge(name)).map(({edge, points}) => ({edge, points})),
  };
}

// The places that the page came with: those of the whole hierarchy, whatever part of it is drawn.
export function given(graph, sizes, layout) {
  const nodes = graph.nodes.map(key => ({key, ...sizes.get(key), x: layout[key][0], y: layout[key][1]}));
  const at = new Map(nodes.map(node => [node.key, node]));
  return {
    nodes,
    edges: graph.edges.map(edge => {
      const {x, y, height} = at.get(edge.parent), end = at.get(edge.child);
      return {edge, points: [{x, y: y + height / 2}, {x: end.x, y: end.y - end.height / 2}]};
    }),
    width: Math.max(...nodes.map(node => node.x + node.width / 2)),
    height: Math.max(...nodes.map(node => node.y + node.height / 2)),
  };
}

// sizes: a Map from node to {width, height}. Answers nodes with x, y (their middle), edges with points, and the size of it all.
export function place(graph, sizes, left) {
  const all = parts(graph.nodes, graph.edges).map(keys => {
    const inside = new Set(keys);
    return layers(keys, graph.edges.filter(e => inside.has(e.parent)), sizes, left);
  });
  all.sort((a, b) => b.height - a.height || b.width - a.width);
  const area = all.reduce((sum, part) => sum + (part.width + 24) * (part.height + 24), 0);
  const row = Math.max(Math.sqrt(area) * 1.4, ...all.map(part => part.width));
  const placed = {nodes: [], edges: [], width: 0, height: 0};
  let x = 0, y = 0, tall = 0;
  for (const part of all) {
    if (x > 0 && x + part.width > row) {
      y += tall + 24;
      x = tall = 0;
    }
    part.nodes.forEach(node => placed.nodes.push({...node, x: node.x + x, y: node.y + y}));
    part.edges.forEach(edge => placed.edges.push({...edge, points: edge.points.map(p => ({x: p.x + x, y: p.y + y}))}));
    placed.width = Math.max(placed.width, x + part.width);
    tall = Math.max(tall, part.height);
    placed.height = Math.max(placed.height, y + tall);
    x += part.width + 24;
  }
  return placed;
}
