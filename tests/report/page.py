#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the page that hsel report makes of a small study that has everything.

page.py structure SAMPLE_STORE HSEL: the markup by itself: tags, anchors, headings of tables, nothing from outside, one script, which
    the policy of the page names by its hash.
page.py browser SAMPLE_STORE HSEL: opened in Chromium without a window, at the width of a phone and of a desk, light and dark:
    no console error, no request, every table and picture in sight, the page itself not wider than its window, contrast as it should
    be; sorting, filtering and the switch of metrics work. Ends with 77 (skipped) when there is no Chromium.
page.py latex SAMPLE_STORE HSEL: the tables for LaTeX, through pdflatex; 77 when there is none."""
import base64
import hashlib
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VOID = {"meta", "link", "img", "br", "input"}
SKIPPED = 77
CHARTS = 5 + 3 * 2 * 6  # compression x 2, sweep x 2, times; ROC, PR and calibration, 2 classifiers, 6 data sets


def fail(message):
    sys.exit(f"page.py: {message}")


def make(folder, sample_store, hsel, name):
    store = folder / "sample.db"
    if not store.exists():
        subprocess.run([sample_store, store], check=True)
    page = folder / name
    subprocess.run([hsel, "report", store, "-q", "-o", page, "--studies", HERE], check=True)
    return page


# ---- markup ----

class Markup(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.problems = [], [], [], []
        self.count = {}

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.count[tag] = self.count.get(tag, 0) + 1
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs.get("href", ""))
        for name in ("src", "href", "xlink:href"):
            if not re.match(r"#|data:", attrs.get(name, "#")):
                self.problems.append(f"<{tag} {name}={attrs[name]!r}> is from outside")
        if any(name.startswith("on") for name in attrs) or (tag == "script" and (attrs or self.count[tag] > 1)):
            self.problems.append(f"a script: <{tag} {attrs}>")
        if tag == "th" and attrs.get("scope") not in ("row", "col"):
            self.problems.append("a <th> without scope")
        if tag == "img" and not attrs.get("alt"):
            self.problems.append("an <img> without alt")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> on line {self.getpos()[0]} closes nothing")


def check_structure(folder, sample_store, hsel):
    page = make(folder, sample_store, hsel, "page.html").read_text()
    markup = Markup()
    markup.feed(page)
    problems = markup.problems + [f"<{tag}> stays open" for tag in markup.open]
    problems += [f"id {i} repeats" for i in set(markup.ids) if markup.ids.count(i) > 1]
    problems += [f"{link} leads nowhere" for link in markup.links if link[1:] not in markup.ids]
    for tag, least in (("table", 15), ("caption", 15), ("figure", 20), ("h1", 1), ("h2", 8), ("nav", 1), ("details", 8)):
        if markup.count.get(tag, 0) < least:
            problems.append(f"only {markup.count.get(tag, 0)} <{tag}>, expected {least} or more")
    script = re.search(r"<script>(.*?)</script>", page, re.S).group(1)
    if f"script-src 'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" not in page:
        problems.append("the policy of the page does not allow its script")
    if markup.count.get("table") != markup.count.get("caption"):
        problems.append("a table without caption")
    for text in ("&lt;script&gt;alert(1)&lt;/script&gt;", "A sample of everything &lt;b&gt;&amp; &quot;more&quot;",
                 "no memory is left for &lt;tsel&gt;", "away (nowhere/away does not exist)", "†", "sample-paper"):
        if text not in page:
            problems.append(f"{text!r} is not in the page")
    if problems:
        fail("; ".join(problems[:10]))
    drawn = page.count('class="chart"')
    if drawn != CHARTS or "<img" in page:
        fail(f"{drawn} charts, expected {CHARTS}")
    check_kept_charts(folder, hsel)


def check_kept_charts(folder, hsel):
    charts = folder / "charts"
    subprocess.run([hsel, "report", folder / "sample.db", "-q", "-o", folder / "kept.html", "--studies", HERE, "--charts", charts], check=True)
    for ending in ("tsv", "svg"):
        if len(list(charts.glob("*." + ending))) != CHARTS:
            fail(f"{len(list(charts.glob('*.' + ending)))} files .{ending}, expected {CHARTS}")


# ---- in the browser ----

MEASURE = """
<script>
addEventListener('load', () => {
  document.querySelectorAll('details').forEach(d => d.open = true);
  const problems = [], name = e => e.tagName + ' ' + e.textContent.trim().slice(0, 40);
  const check = (right, what) => { if (!right) problems.push(what); };
  const shown = e => e.getBoundingClientRect().height > 0;

  // The switch of metrics.
  const labels = document.querySelectorAll('.choice > label'), panels = document.querySelectorAll('.choice > .panel');
  check(labels.length === 2 && shown(panels[0]) && !shown(panels[1]), 'the first metric is not the one in sight');
  labels[1].click();
  check(!shown(panels[0]) && shown(panels[1]), 'the switch does not switch');
  panels.forEach(p => p.style.display = 'block');

  // Sorting: a click on a heading of numbers puts the highest on top, a second one the lowest; none last; what sums up stays.
  const table = [...document.querySelectorAll('table')].find(t => t.caption.textContent.startsWith('GM with NB'));
  const heading = table.tHead.rows[0].cells[4], values = () => [...table.tBodies[0].rows].map(r => parseFloat(r.cells[4].textContent));
  const foot = table.tFoot.textContent, first = table.tBodies[0].textContent;
  const sorted = sign => values().every((v, i, all) => i === 0 || isNaN(v) || sign * (v - all[i - 1]) >= 0) &&
    values().some(v => isNaN(v)) && isNaN(values().at(-1));
  heading.querySelector('button').click();
  check(sorted(-1) && heading.getAttribute('aria-sort') === 'descending', 'not sorted down: ' + values());
  heading.querySelector('button').click();
  check(sorted(1) && heading.getAttribute('aria-sort') === 'ascending', 'not sorted up: ' + values());
  check(table.tFoot.textContent === foot && table.tBodies[0].textContent !== first, 'sorting');
  table.tHead.rows[0].cells[0].querySelector('button').click();
  const names = [...table.tBodies[0].rows].map(r => r.cells[0].textContent);
  check(names.join() === [...names].sort((a, b) => a.localeCompare(b, 'en')).join(), 'not sorted by name: ' + names);

  // Filtering: every word has to be in a row.
  const field = document.querySelector('input[type=search]'), long = field.parentElement.querySelector('table').tBodies[0];
  const word = long.rows[2].cells[0].textContent.split(' ')[0].toUpperCase();
  field.value = ' ' + word;
  field.dispatchEvent(new Event('input'));
  check([...long.rows].every(r => shown(r) === r.textContent.toUpperCase().includes(word)) && shown(long.rows[2]) &&
        [...long.rows].some(r => !shown(r)), 'the filter does not filter by ' + word);
  field.value = '';
  field.dispatchEvent(new Event('input'));
  check([...long.rows].every(shown), 'the filter does not let go');

  // Names stay text; nothing is asked for.
  check(document.scripts.length === 2 && !document.querySelector('h1 b, th > i, button > i, text > i'), 'a name became markup');
  check(performance.getEntriesByType('resource').length === 0, 'the page asks for something');

  const rgb = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => { [r, g, b] = [r, g, b].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                                 return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { const cell = e.closest('td[style]'); let c;
    for (let p = e; p; p = p.parentElement) { c = rgb(getComputedStyle(p).backgroundColor); if (c[3] !== 0) break; c = [255, 255, 255]; }
    if (!cell) return c;
    const style = getComputedStyle(cell), over = rgb(style.getPropertyValue(cell.classList.contains('o') ? '--orange' : '--blue'));
    const part = style.getPropertyValue('--s') * style.getPropertyValue('--deep');
    return over.map((v, i) => part * v + (1 - part) * c[i]); };
  const seen = document.querySelectorAll('table, svg, caption, figcaption, h1, h2, h3, p, dd');
  for (const e of seen) {
    const box = e.getBoundingClientRect();
    if (box.width < 8 || box.height < 8) problems.push('not in sight: ' + name(e));
  }
  for (const e of document.querySelectorAll('h1,h2,p,dt,dd,a,td,th,small,i,button,caption,figcaption,summary,label,.chart text')) {
    const style = getComputedStyle(e), a = light(rgb(e.tagName === 'text' ? style.fill : style.color)), b = light(ground(e));
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) problems.push('too little contrast: ' + name(e));
  }
  for (const e of document.querySelectorAll('.chart .s')) {
    const a = light(rgb(getComputedStyle(e).color)), b = light(ground(e));
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 2) problems.push('a series is hard to see: ' + e.getAttribute('class'));
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) problems.push('the page is ' + wide + ' wide in a window of ' + innerWidth);
  for (const e of document.querySelectorAll('table')) {
    const box = e.closest('.scroll');
    if (!box || getComputedStyle(box).overflowX !== 'auto') problems.push('a table without a box to scroll in');
  }
  const boxes = [...document.querySelectorAll('.table .scroll')].filter(b => b.scrollWidth > b.clientWidth + 40);
  for (const box of boxes) {
    box.scrollLeft = 40;
    const first = box.querySelector('tbody th').getBoundingClientRect().left, edge = box.getBoundingClientRect().left;
    if (Math.abs(first - edge) > 2) problems.push('the first column scrolls away');
  }
  scrollTo(0, 5000);
  if (document.querySelector('nav').getBoundingClientRect().top !== 0) problems.push('the navigation does not stay');
  parent.postMessage(JSON.stringify({problems, width: innerWidth, tables: document.querySelectorAll('table').length,
    diagrams: document.querySelectorAll('.picture svg').length, scrolling: boxes.length,
    dark: light(rgb(getComputedStyle(document.body).backgroundColor)) < 0.2}), '*');
});
</script>
"""

FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<script>addEventListener('message', e => { const p = document.createElement('pre'); p.id = 'result';
p.textContent = e.data; document.body.append(p); });</script>
<iframe src="measured.html" width="%d" height="844" style="border:0"></iframe>"""


def browse(chromium, folder, page, *flags):
    with tempfile.TemporaryDirectory(dir=folder) as profile:
        done = subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}",
             "--enable-logging=stderr", "--window-size=1400,900", "--virtual-time-budget=10000", *flags, "--dump-dom",
             page.as_uri()],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    if done.returncode or said:
        fail(f"{page.name}: exit {done.returncode}, console: {said}")
    return done.stdout


def measure(chromium, folder, width, dark):
    frame = folder / f"frame_{width}.html"
    frame.write_text(FRAME % width)
    dom = browse(chromium, folder, frame, f"--blink-settings=preferredColorScheme={0 if dark else 1}")
    found = re.search(r'<pre id="result">(.*?)</pre>', dom, re.S)
    if not found:
        fail(f"at {width}: the page did not answer")
    result = json.loads(html.unescape(found.group(1)))
    if result["problems"]:
        fail(f"at {width}{' dark' if dark else ''}: " + "; ".join(result["problems"][:10]))
    if result["width"] != width or result["dark"] != dark:
        fail(f"asked for {width} {'dark' if dark else 'light'}, got {result}")
    return result


def check_browser(folder, sample_store, hsel):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("skipped: Chromium is not installed (Debian: apt install chromium)")
        sys.exit(SKIPPED)
    page = make(folder, sample_store, hsel, "page.html")
    browse(chromium, folder, page) # as it is: no console error
    text = page.read_text()
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    if bare == text:
        fail("the page has no content security policy")
    (folder / "measured.html").write_text(bare.replace("</body>", MEASURE + "</body>"))
    plain = folder / "plain.html"  # without script, all that there is to read is there
    plain.write_text(re.sub(r"<script>.*?</script>", "", text, flags=re.S))
    if re.findall(r"<table>", browse(chromium, folder, plain)) != re.findall(r"<table>", text) or "<button" in text:
        fail("without script, something is missing")
    for width, dark in ((390, False), (1280, False), (390, True), (1280, True)):
        result = measure(chromium, folder, width, dark)
        if result["tables"] != text.count("<table>") or result["diagrams"] != 4 + CHARTS:
            fail(f"at {width}: {result}")
        if width == 390 and result["scrolling"] < 5:
            fail(f"on a phone, wide tables should scroll in their boxes: {result}")
    print("page.py: in sight at 390 and 1280, light and dark")


# ---- LaTeX ----

def check_latex(folder, sample_store, hsel):
    if not shutil.which("pdflatex") or subprocess.run(["kpsewhich", "booktabs.sty"], stdout=subprocess.DEVNULL).returncode:
        print("skipped: pdflatex with booktabs is not installed (Debian: apt install texlive-latex-recommended)")
        sys.exit(SKIPPED)
    make(folder, sample_store, hsel, "tables.tex")
    (folder / "paper.tex").write_text(r"""\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}
\usepackage{graphicx}\begin{document}\input{tables}\end{document}""")
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "paper.tex"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
    if done.returncode or "Overfull" in done.stdout:
        fail(done.stdout[-2000:])


def main():
    checks = {"structure": check_structure, "browser": check_browser, "latex": check_latex}
    with tempfile.TemporaryDirectory(prefix="hsel-page-") as folder:
        checks[sys.argv[1]](pathlib.Path(folder), sys.argv[2], sys.argv[3])


main()
