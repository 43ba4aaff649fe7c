// SPDX-License-Identifier: GPL-3.0-or-later
// Files of what is seen, made in the page and saved by the browser: nothing is sent anywhere.
import {FONT, palette, svg} from './dom.js';

const xml = text => String(text).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);

export function save(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export function svgText({inner, width, height, margin}) {
  const copy = inner.cloneNode(true);
  copy.removeAttribute('transform');
  for (const element of copy.querySelectorAll('*')) {
    for (const {name} of [...element.attributes])
      if (/^(role|tabindex|class|aria-.*|data-.*)$/.test(name)) element.removeAttribute(name);
  }
  const w = Math.ceil(width + 2 * margin), t = Math.ceil(height + 2 * margin);
  const whole =
      svg('svg', {width: w, height: t, viewBox: `${- margin} ${- margin} ${w} ${t}`, 'font-family': FONT},
          svg('rect', {x: -margin, y: -margin, width: w, height: t, fill: palette().ground}), copy);
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(whole) + '\n';
}

export function savePng(name, picture) {
  const image = new Image();
  const scale = Math.min(2, 16000 / Math.max(picture.width, picture.height, 1));
  return new Promise((done, failed) => {
    image.onerror = () => failed(new Error('the picture could not be drawn'));
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(image.width * scale);
      canvas.height = Math.round(image.height * scale);
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(blob => (blob ? done(save(name, 'image/png', blob)) : failed(new Error('the picture is too large'))), 'image/png');
    };
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svgText(picture));
  });
}

// As hsel report writes it: a single quote before each text that a spreadsheet would run as a formula. Numbers stay numbers.
export function csv(rows) {
  const cell = value => {
    const text = value === null || value === undefined ? '' : /^[=+\-@\t\r\n]/.test(value) && !Number.isFinite(Number(value)) ? `'${value}` : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return rows.map(row => row.map(cell).join(',') + '\r\n').join('');
}

// ---- graphs: edges go from child to parent, as relations of an ontology do ----

const FACTS = ['label', 'namespace', 'selected', 'score', 'contribution'];

function facts(data, run, node) {
  const t = node.t, namespace = data.namespace[t];
  const all = {
    label: data.name(t),
    namespace: namespace === null ? null : data.namespaces[namespace],
    selected: run.selected[t],
    score: run.score[t],
    contribution: node.contribution
  };
  return Object.fromEntries(FACTS.map(name => [name, all[name]]).filter(([, value]) => value !== null && value !== undefined));
}

export function dot(data, graph) {
  const quoted = text => `"${String(text).replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\r?\n/g, '\\n')}"`;
  return [
    'digraph terms {', '  rankdir=BT; node [shape=box, style=rounded];',
    ...graph.nodes.map(({t, note}) => `  ${quoted(data.ids[t])} [label=${quoted([data.name(t), note].filter(Boolean).join('\n'))}];`),
    ...graph.edges.map(
        e => `  ${quoted(data.ids[e.child])} -> ${quoted(data.ids[e.parent])} [` +
            (e.hidden.length ? `style=dotted, label=${quoted(`${e.hidden.length} between`)}` :
                               `tooltip=${quoted(e.relation)}${e.relation === 'is_a' ? '' : ', style=dashed'}`) +
            '];'),
    '}', ''
  ].join('\n');
}

export function graphml(data, run, graph) {
  const typed = (name, value) => `<data key="${name}">${xml(value)}</data>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...FACTS.map(
        name => `<key id="${name}" for="node" attr.name="${name}" attr.type="${
                ['label', 'namespace'].includes(name) ? 'string' : 'double'}"/>`),
    '<key id="relation" for="edge" attr.name="relation" attr.type="string"/>',
    '<key id="between" for="edge" attr.name="between" attr.type="int"/>', '<graph edgedefault="directed">',
    ...graph.nodes.map(
        node => `<node id="${xml(data.ids[node.t])}">${
            Object.entries(facts(data, run, node)).map(([name, value]) => typed(name, value)).join('')}</node>`),
    ...graph.edges.map(
        e => `<edge source="${xml(data.ids[e.child])}" target="${xml(data.ids[e.parent])}">${typed('relation', e.relation)}${
            typed('between', e.hidden.length)}</edge>`),
    '</graph>', '</graphml>', ''
  ].join('\n');
}

export function cytoscape(data, run, graph) {
  return JSON.stringify(
             {
               format_version: '1.0',
               generated_by: `hsel ${data.hsel}`.trim(),
               target_cytoscapejs_version: '~2.1',
               data: {name: data.title, run: run.name},
               elements: {
                 nodes: graph.nodes.map(node => ({
                                          data: {id: data.ids[node.t], name: data.name(node.t), ...facts(data, run, node)},
                                          position: {x: node.x, y: node.y}
                                        })),
                 edges: graph.edges.map((e, i) => ({
                                          data: {
                                            id: `e${i}`,
                                            source: data.ids[e.child],
                                            target: data.ids[e.parent],
                                            interaction: e.relation,
                                            between: e.hidden.length
                                          }
                                        })),
               },
             },
             null, 1) +
      '\n';
}
