#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The explorer page in Chromium, as a person uses it: by mouse, by keys, on a phone, in dark, on paper.

run.py TEXTS HSEL [TEST…]: TEXTS is the folder of the build with explorer.js and explorer.css. Ends with 77 (skipped) where Chromium, its
driver or selenium is not installed, or the program was built without the page. After every test: no console message, no request."""
import csv
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

import pages

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
TEXTS, HSEL = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError:
    skip("selenium is not installed (Debian: apt install python3-selenium)")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    skip("Chromium or its driver is not installed (Debian: apt install chromium chromium-driver)")
if not (TEXTS / "explorer.js").exists():
    skip("the program was built without the page (Debian: apt install esbuild node-d3-zoom node-d3-selection node-dagre-layout)")

FOLDER = tempfile.TemporaryDirectory(prefix="hsel-explorer-")
ROOM = pathlib.Path(FOLDER.name)


def start():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--window-size=1400,900", f"--user-data-dir={ROOM / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


def setUpModule():
    global browser
    for name in ("sample", "large", "bare", "empty", "long", "formulas"):
        pages.write(ROOM / f"{name}.html", getattr(pages, name)(), TEXTS)
    browser = start()


def tearDownModule():
    browser.quit()


class Page(unittest.TestCase):
    def setUp(self):
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get_log("performance")
        self.window(1400, 900)
        self.media()
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(ROOM / self.id())})

    def tearDown(self):
        said = [entry["message"] for entry in browser.get_log("browser")]
        self.assertEqual(said, [], "the console says something")
        for entry in browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.assertRegex(message["params"]["request"]["url"], r"^(file:|data:|blob:|about:)", "a request leaves the page")

    # ---- how to look ----

    def open(self, name, fragment=""):
        browser.get("about:blank")
        browser.get((ROOM / f"{name}.html").as_uri() + fragment)
        self.wait(lambda: browser.execute_script("return document.documentElement.dataset.ready"))

    def window(self, width, height):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def media(self, scheme="light", kind=""):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def wait(self, condition, seconds=60):
        return WebDriverWait(browser, seconds, poll_frequency=0.05).until(lambda _: condition())

    def all(self, css):
        return browser.find_elements(By.CSS_SELECTOR, css)

    def one(self, css):
        return browser.find_element(By.CSS_SELECTOR, css)

    def texts(self, css):
        return browser.execute_script("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", css)

    def rows(self):
        return self.texts(".panes .pane:first-child tbody th")

    def nodes(self):
        return browser.execute_script("return [...document.querySelectorAll('.map .node')].map(e => e.dataset.term)")

    def node(self, term):
        return self.one(f'.map .node[data-term="{term}"]')

    def button(self, text, within="body"):
        return next(b for b in self.all(f"{within} button") if b.text == text or b.get_attribute("aria-label") == text)

    def view(self, name):
        self.one(f'#views [data-view="{name}"]').click()

    def field(self, label, within="body"):
        return next(f.find_element(By.CSS_SELECTOR, "select") for f in self.all(f"{within} label.field") if f.text.startswith(label))

    def chosen(self):
        return self.texts(".chip > button:first-child")

    def fragment(self):
        return browser.execute_script("return location.hash")

    def saved(self, kind):
        folder, ending = ROOM / self.id(), pathlib.Path(kind).suffix
        for earlier in folder.glob(f"*{ending}") if folder.exists() else []:
            earlier.unlink()
        self.one("#files summary").click()
        self.wait(lambda: self.all(f'[data-export="{kind}"]'))[0].click()

        def found():
            files = [f for f in folder.glob(f"*{kind}") if f.stat().st_size] if folder.exists() else []
            return files[0] if files else None
        file = self.wait(found)
        self.assertTrue(file.name.endswith(ending))
        return file

    def saved_table(self, kind):
        return list(csv.DictReader(self.saved(kind).read_text().splitlines()))

    def check_frame(self, what):
        outside = browser.execute_script("""
            const frame = document.querySelector('.map').getBoundingClientRect();
            return [...document.querySelectorAll('.map .node')].map(n => n.getBoundingClientRect())
              .filter(b => b.left < frame.left || b.right > frame.right || b.top < frame.top || b.bottom > frame.bottom).length""")
        self.assertEqual(outside, 0, f"{what}: terms are drawn outside the frame")

    def check_boxes(self):
        wrong = browser.execute_script("""
            const boxes = [...document.querySelectorAll('.map .node .body')].map(e => e.getBoundingClientRect()), found = [];
            boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
              if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push('overlap'); }));
            for (const node of document.querySelectorAll('.map .node')) {
              const body = node.querySelector('.body').getBoundingClientRect();
              for (const text of node.querySelectorAll(':scope > text')) { const t = text.getBoundingClientRect();
                if (t.left < body.left - 1 || t.right > body.right + 1) found.push(text.textContent); } }
            return found;""")
        self.assertEqual(wrong, [])


class Terms(Page):
    def test_search_any_case_by_label_or_identifier(self):
        self.open("sample")
        self.assertEqual(len(self.rows()), 7) # those selected
        self.assertIn("7 of 15 terms, the others were never selected.", self.texts(".found")[0])
        search = self.one("#search")
        search.send_keys("HEAT")
        self.assertEqual(self.rows(), ["response to heat"])
        self.assertEqual(browser.switch_to.active_element, search)
        search.send_keys(Keys.CONTROL, "a")
        search.send_keys("go:0012")
        self.assertEqual(self.rows(), ["proteolysis"])
        search.send_keys(Keys.CONTROL, "a")
        search.send_keys("chain")
        self.assertEqual(len(self.rows()), 4) # by name also those never selected
        self.button("Show all").click()
        self.assertEqual(len(self.rows()), 15)

    def test_sort_by_any_column_both_ways(self):
        self.open("sample")
        self.assertEqual(self.rows()[0], "response to heat") # selected most often
        for key in browser.execute_script("return [...document.querySelectorAll('[data-sort]')].map(b => b.dataset.sort)"):
            orders = []
            for _ in range(2):
                self.one(f'[data-sort="{key}"]').click()
                orders.append(self.rows())
                self.assertNotEqual(self.one(f'[data-sort="{key}"]').find_element(By.XPATH, "..").get_attribute("aria-sort"), "none")
            self.assertNotEqual(orders[0], orders[1], key)
        self.open("sample", "#sort=-contribution")
        self.assertEqual(self.rows()[0][:10], "regulation")
        self.open("sample", "#sort=contribution")
        self.assertEqual(self.rows()[0], "proteolysis")

    def test_filters(self):
        self.open("sample", "#least=0")
        Select(self.field("Namespace")).select_by_visible_text("cellular_component")
        self.assertEqual(len(self.rows()), 2)
        Select(self.field("Namespace")).select_by_visible_text("all")
        Select(self.field("Speaks for")).select_by_visible_text("anti-longevity")
        self.assertEqual(set(self.rows()), {"metabolic process", "catabolic process", "proteolysis"})
        Select(self.field("Selected in")).select_by_visible_text("4 or more")
        self.assertEqual(self.rows(), ["proteolysis"])

    def test_row_marks_node_in_the_middle(self):
        self.open("sample")
        next(b for b in self.all("tbody button.link") if b.text == "proteolysis").click()
        node = self.node("GO:0012")
        self.assertEqual(node.get_attribute("aria-pressed"), "true")
        box, frame = browser.execute_script("return [arguments[0].querySelector('.body'), document.querySelector('.map')].map(e => e.getBoundingClientRect())", node)
        self.assertLess(abs(box["x"] + box["width"] / 2 - frame["x"] - frame["width"] / 2), 3)
        self.assertLess(abs(box["y"] + box["height"] / 2 - frame["y"] - frame["height"] / 2), 12)
        # one that is not selected is drawn when it is asked for
        self.assertNotIn("GO:0010", self.nodes())
        self.button("Show all").click()
        next(b for b in self.all("tbody button.link") if b.text == "chain three").click()
        self.assertIn("GO:0010", self.nodes())

    def test_node_marks_row_on_its_page(self):
        self.open("large", "#sort=selected")
        term = self.nodes()[-1]
        self.node(term).click()
        marked = self.all("tr.marked")
        self.assertEqual(len(marked), 1)
        self.assertIn(term, marked[0].text)
        box, frame = browser.execute_script("return [arguments[0], document.querySelector('.table .scroll')].map(e => e.getBoundingClientRect())", marked[0])
        self.assertGreaterEqual(box["top"], frame["top"])
        self.assertLessEqual(box["bottom"], frame["bottom"])

    def test_collapse_and_expand(self):
        self.open("sample")
        self.assertIn("GO:0012", self.nodes())
        self.node("GO:0001").find_element(By.CSS_SELECTOR, ".fold").click()
        self.assertNotIn("GO:0012", self.nodes())
        self.assertNotIn("GO:0003", self.nodes())
        self.assertIn("+2", self.node("GO:0001").text)
        self.node("GO:0001").find_element(By.CSS_SELECTOR, ".fold").click()
        self.assertIn("GO:0012", self.nodes())

    def test_chain_is_told_of_and_expands(self):
        self.open("sample")
        pill = self.node("GO:0005").find_element(By.CSS_SELECTOR, ".gap")
        self.assertEqual(pill.text.strip(), "\u2026 4 terms \u2026")
        pill.click()
        self.assertLessEqual({"GO:0008", "GO:0009", "GO:0010", "GO:0011"}, set(self.nodes()))
        self.assertEqual(self.node("GO:0005").find_elements(By.CSS_SELECTOR, ".gap"), [])

    def test_several_terms_and_where_they_meet(self):
        self.open("sample")
        for term in ("GO:0012", "GO:0003"):
            self.one(f'[aria-label="Choose {"proteolysis" if term == "GO:0012" else "catabolic process"}"]').click()
        self.assertEqual(self.texts(".meets"), ["They meet in catabolic process."]) # one is above the other
        self.node("GO:0003").find_element(By.CSS_SELECTOR, ".body")
        self.open("sample", "#term=GO:0012&term=GO:0007")
        self.assertEqual(self.texts(".meets"), ["They meet in biological process."])
        self.assertIn("here the chosen terms meet", self.node("GO:0000").get_attribute("aria-label"))
        self.open("large", "#term=GO:0001900&term=GO:0001950&term=GO:0000700")
        inside = browser.execute_script("""const frame = document.querySelector('.map').getBoundingClientRect();
            return [...document.querySelectorAll('.map .node[aria-pressed=true], .map .node[aria-label*="terms meet"]')].map(n => n.querySelector('.body').getBoundingClientRect())
              .map(b => b.left >= frame.left && b.right <= frame.right && b.top >= frame.top && b.bottom <= frame.bottom)""")
        self.assertGreaterEqual(len(inside), 4)
        self.assertTrue(all(inside))
        self.open("sample", "#term=GO:0012&term=CC:0001")
        self.assertEqual(self.texts(".meets"), ["They have no ancestor in common."])
        self.button("Take proteolysis away").click()
        self.assertEqual(len(self.chosen()), 1)
        self.open("sample", "#term=GO:0012")
        ActionChains(browser).key_down(Keys.CONTROL).click(self.node("GO:0007").find_element(By.CSS_SELECTOR, ".body")).key_up(Keys.CONTROL).perform()
        self.assertEqual(self.chosen(), ["proteolysis", "response to heat"])

    def test_all_ancestors_of_the_chosen(self):
        self.open("sample", "#term=GO:0012&scope=chosen")
        self.assertEqual(set(self.nodes()), {"GO:0000", "GO:0012"})
        self.button("All ancestors of chosen").click()
        self.assertEqual(set(self.nodes()), {"GO:0000", "GO:0001", "GO:0003", "GO:0004", "GO:0012"})
        self.assertEqual(self.texts(".map path title").count("part_of"), 1)
        self.assertIn("part_of", self.one(".legend").text)

    def test_draws_the_terms_of_the_table(self):
        self.open("sample", "#q=process")
        Select(self.field("Draw")).select_by_visible_text("terms of the table")
        self.assertEqual(set(self.nodes()), {"GO:0000", "GO:0001", "GO:0003", "GO:0004"})
        self.one("#search").send_keys(" protein")
        self.assertEqual(set(self.nodes()), {"GO:0000", "GO:0004"})

    def test_colours_say_contribution_or_selection(self):
        self.open("sample")
        fill = lambda term: self.node(term).find_element(By.CSS_SELECTOR, ".body").get_attribute("fill")
        blue, orange = fill("GO:0005"), fill("GO:0012")
        red = lambda colour: int(colour[1:3], 16) - int(colour[5:7], 16)
        self.assertLess(red(blue), 0)
        self.assertGreater(red(orange), 0)
        self.assertIn("pro-longevity", self.one(".legend").text)
        Select(self.field("Colour")).select_by_visible_text("how often selected")
        self.assertIn("5 of 8", self.node("GO:0005").text)
        self.assertNotIn(fill("GO:0005"), (blue, orange))
        self.assertIn("never selected", self.one(".legend").text)

    def test_first_drawing_is_capped_and_says_so(self):
        self.open("large")
        first = len(self.nodes())
        self.assertIn(first, range(12, 61))
        self.assertRegex(self.texts(".found")[1], rf"^{first} terms drawn, \d+ more not drawn")
        self.button("Draw 60 more").click()
        self.assertGreaterEqual(len(self.nodes()), first + 55)
        self.button("Draw fewer").click()
        self.assertEqual(len(self.nodes()), first)

    def test_drawings_open_within_their_frame(self):
        for width, fragment in itertools.product((1400, 400), ("", "#cap=120", "#lay=left", "#view=instances")):
            self.window(width, 900)
            self.open("large", fragment)
            self.check_frame(f"{width} {fragment}")

    def test_nodes_do_not_overlap_and_names_stay_inside(self):
        for fragment in ("", "#lay=left"):
            self.open("large", fragment)
            self.check_boxes()

    def test_large_page_lays_out_what_it_draws_alone(self):
        """The times are measured and printed, with no limit: the work is what is bounded, by the number of terms that are laid out."""
        self.open("large", "#cap=100")
        ready = browser.execute_script("return document.documentElement.dataset.ready")
        layouts = browser.execute_script("return performance.getEntriesByName('layout').map(e => e.duration)")
        print(f"first drawing {ready} ms, layout of 100 terms {layouts[0]:.0f} ms")
        self.assertEqual(len(layouts), 1)
        self.assertLessEqual(len(self.all(".map .node")), 100)


class Instances(Page):
    def test_lists_and_search(self):
        self.open("sample", "#view=instances")
        self.assertEqual([r.split()[0] for r in self.rows()], ["daf-2", "daf-16"])
        self.button("Misclassified (2)").click()
        self.assertEqual([r.split()[0] for r in self.rows()], ["skn-1", "eat-2"])
        self.one("#find").send_keys("DAF")
        self.assertEqual([r.split()[0] for r in self.rows()], ["daf-2", "daf-16"])
        self.one("#find").send_keys(Keys.CONTROL, "a")
        self.one("#find").send_keys("w6")
        self.assertEqual(self.rows(), ["W6"])

    def test_one_instance(self):
        self.open("sample", "#view=instances")
        self.all("tbody button.link")[0].click()
        strip = self.one(".strip").text
        for part in ("anti-longevity", "4.1 %", "\u22123.15", "\u22120.50"):
            self.assertIn(part, strip)
        bars = self.texts(".chart g > g > text:last-of-type")
        self.assertEqual(bars, ["\u22120.50", "\u22121.60", "\u22120.90", "\u22120.20", "+0.05", "\u22123.15"])
        self.assertEqual(set(self.nodes()), {"GO:0000", "GO:0003", "GO:0005", "GO:0012", "CC:0000", "CC:0001"})
        why = self.texts(".slot .why")
        self.assertIn("left out: proteolysis below it has the higher score (0.250 against 0.120)", why)
        Select(self.field("Show")).select_by_visible_text("dropped")
        self.assertEqual(len(self.texts(".slot .why")), 2)
        Select(self.field("Show")).select_by_visible_text("kept")
        self.assertNotIn("dropped", self.one(".slot tbody").text)

    def test_bars_meet_baseline_and_prediction(self):
        self.open("sample", "#view=instances&instance=W3")
        ends = browser.execute_script("""
            const bars = [...document.querySelectorAll('.chart g > g > rect:nth-of-type(2)')].map(r => [Number(r.getAttribute('x')), Number(r.getAttribute('x')) + Number(r.getAttribute('width'))]);
            const sums = [...document.querySelectorAll('.chart g > g > line[stroke-width="3"]')].map(l => Number(l.getAttribute('x1')));
            return [bars, sums];""")
        (first, second, _), (baseline, prediction) = ends
        self.assertAlmostEqual(first[0], baseline, places=6)
        self.assertAlmostEqual(first[1], second[0], places=6)
        self.assertAlmostEqual(second[1], prediction, places=6)
        self.assertNotIn("before calibration", self.one(".slot").text) # what the page of test_worm_genes says

    def test_what_is_not_explained_is_said(self):
        self.open("sample", "#view=instances&instance=W4")
        self.assertEqual(self.texts(".chart g > g > text:first-of-type")[-2:], ["not explained", "prediction"])
        self.assertEqual(self.texts(".chart g > g > text:last-of-type")[-2:], ["\u22120.50", "\u22120.60"])

    def test_errors_neighbours_and_path(self):
        self.open("sample", "#view=instances&instance=W1&run=1")
        self.assertEqual(len(self.all(".chart .error")), 2)
        self.assertEqual(self.texts(".chart g > g > text:first-of-type"), ["baseline", "proteolysis", "catabolic process", "1 other term", "prediction"]) # none for 0
        self.assertIn("age-1 (W2)", self.one(".slot").text)
        self.assertIn("W99", self.one(".slot").text)
        self.open("sample", "#view=instances&instance=W3&run=2")
        self.assertEqual([e.text.split(" ")[-1] for e in self.all(".path li")], ["present", "absent"])

    def test_instance_without_details_says_so(self):
        self.open("sample", "#view=instances&instance=W2")
        self.assertIn("is not in this page", self.one(".slot").text)
        self.assertEqual(self.all(".slot .chart"), [])

    def test_compare_two(self):
        self.open("sample", "#view=instances&instance=W1")
        self.button("Compare with daf-16 (W3)").click()
        self.assertEqual(self.texts(".slot h2"), ["daf-2 (W1)", "daf-16 (W3)"])
        first, second = (e.rect for e in self.all(".slot"))
        self.assertGreaterEqual(second["x"], first["x"] + first["width"])
        self.assertEqual(first["y"], second["y"])
        self.assertIn("+2.70", self.one(".difference").text) # 2.50 against -0.20
        self.button("Show one only").click()
        self.assertEqual(len(self.all(".slot")), 1)

    def test_compare_two_runs(self):
        self.open("sample", "#view=instances&instance=W1")
        Select(self.field("Beside it")).select_by_visible_text("fdr + nb")
        self.assertEqual(self.texts(".slot h2"), ["daf-2 (W1)"] * 2)
        self.assertIn("\u22122.70", self.all(".slot")[1].text)
        self.assertEqual(self.texts(".difference thead th")[1:3], ["rpv + nb", "fdr + nb"])

    def test_all_of_20000(self):
        self.open("large", "#view=instances&list=all")
        self.assertIn("20,000 instances", self.texts(".found")[0])
        self.one("#find").send_keys("gene19999")
        self.assertEqual(len(self.rows()), 1)


class Model(Page):
    def test_strongest_terms_lead_to_the_table(self):
        self.open("sample", "#view=model&run=1")
        self.assertEqual(self.texts(".chart .barrow text:last-of-type"), ["+2.20", "\u22121.40", "+0.90", "\u22120.80"])
        Select(self.field("Strength")).select_by_visible_text("absent")
        self.assertEqual(self.texts(".chart .barrow text:last-of-type")[0], "\u22120.30")
        self.all(".barrow")[1].click()
        self.assertEqual(self.chosen(), ["proteolysis"])

    def test_tree_folds(self):
        self.open("sample", "#view=model&run=2")
        self.assertEqual(self.texts(".tree ul ul li"), [
            "response to heat present: anti-longevity 1 anti-longevity, 0 pro-longevity", "else catabolic process absent: anti-longevity 4 anti-longevity, 0 pro-longevity",
            "else catabolic process present: pro-longevity 0 anti-longevity, 1 pro-longevity",
            "elsewhere absent: pro-longevity 0 anti-longevity, 2 pro-longevity", "elsewhere present: anti-longevity 0 anti-longevity, 0 pro-longevity"])
        seen = lambda: browser.execute_script("return document.querySelector('.tree li strong').checkVisibility({contentVisibilityAuto: true})")
        self.assertTrue(seen())
        self.one(".tree summary small").click()
        self.assertFalse(seen())

    def test_network_is_drawn_and_text_is_text(self):
        self.open("sample", "#view=model&run=3")
        self.wait(lambda: len(self.nodes()) == 4)
        self.assertIn("<b>terms</b>", self.texts("pre")[0])

    def test_lazy_run_says_there_is_none(self):
        self.open("sample", "#view=model")
        self.assertIn("no single model", self.one("main").text)

    def test_about(self):
        self.open("sample", "#view=about")
        for text in ("66.6", "15 of 20 terms", "made by hand", "hsel explore worms.hsel", "10-fold"):
            self.assertIn(text, self.one("main").text)


class Link(Page):
    def test_link_restores_all(self):
        self.open("sample", "#run=1")
        self.one("#search").send_keys("pro")
        self.one('[data-sort="label"]').click()
        Select(self.field("Colour")).select_by_visible_text("how often selected")
        self.one('[aria-label="Choose proteolysis"]').click()
        self.open_again = browser.current_url
        browser.get("about:blank")
        browser.get(self.open_again)
        self.assertEqual(self.one("#search").get_attribute("value"), "pro")
        self.assertEqual(self.field("Run").get_attribute("value"), "1")
        self.assertEqual(self.field("Colour").get_attribute("value"), "selection")
        self.assertEqual(self.chosen(), ["proteolysis"])
        self.assertEqual(self.rows(), sorted(self.rows(), key=str.lower))
        self.open("sample", "#shut=GO%3A0001&view=terms")
        self.assertNotIn("GO:0012", self.nodes())
        self.open("sample", "#view=instances&instance=W%3C8%3E&other=W1")
        self.assertEqual(self.texts(".slot h2"), ["<b>bold</b> (W<8>)", "daf-2 (W1)"])

    def test_back_button(self):
        self.open("sample")
        self.view("instances")
        self.assertEqual(self.texts(".slot h2"), ["daf-2 (W1)"]) # the first of the list
        self.all("tbody button.link")[1].click()
        chosen = self.texts(".slot h2")
        self.assertNotEqual(chosen, ["daf-2 (W1)"])
        self.view("model")
        browser.back()
        self.wait(lambda: self.texts(".slot h2") == chosen)
        browser.back()
        self.wait(lambda: self.texts(".slot h2") == ["daf-2 (W1)"] and "view=instances" in self.fragment())
        browser.back()
        self.wait(lambda: self.all("#search"))
        browser.forward()
        self.wait(lambda: self.all("#find"))

    def test_nonsense_in_a_link_is_harmless(self):
        self.open("sample", "#view=nowhere&run=99&term=no&instance=no&cap=x&sort=-no&beside=0&least=-4&lay=%3Cscript%3E&class=9&of=x&as=x")
        self.assertEqual(len(self.rows()), 15)


class Files(Page):
    def setUp(self):
        super().setUp()
        self.open("sample", "#term=GO:0012")

    def test_svg_is_whole_and_well_formed(self):
        document = xml.dom.minidom.parse(str(self.saved("hierarchy.svg")))
        texts = [t.firstChild.data for t in document.getElementsByTagName("text") if t.firstChild]
        self.assertIn("proteolysis", texts)
        self.assertIn("<script>alert(1)</", " ".join(texts))
        self.assertEqual(document.getElementsByTagName("script"), [])
        width, height = (float(document.documentElement.getAttribute(a)) for a in ("width", "height"))
        self.assertGreater(width, 200)
        self.assertGreater(height, 200)

    def test_png(self):
        data = self.saved("hierarchy.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreater(int.from_bytes(data[16:20], "big"), 400)

    def test_dot(self):
        file = self.saved("hierarchy.dot")
        self.assertIn('"GO:0012" -> "GO:0003"', file.read_text())
        if shutil.which("dot"):
            done = subprocess.run(["dot", "-Tsvg", file], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("&lt;script&gt;", done.stdout)

    def test_graphml(self):
        import networkx
        graph = networkx.read_graphml(self.saved("hierarchy.graphml"))
        self.assertEqual(set(graph), set(self.nodes()))
        self.assertEqual(graph.nodes["CC:0001"]["label"], "<script>alert(1)</script><img src=x onerror=alert(2)>")
        self.assertEqual(graph.nodes["GO:0012"]["selected"], 4)
        self.assertEqual(graph.edges["GO:0005", "GO:0000"], {"relation": "ancestor", "between": 4})
        self.assertEqual(graph.edges["GO:0003", "GO:0001"]["relation"], "is_a")

    def test_cytoscape(self):
        elements = json.loads(self.saved("hierarchy.cyjs").read_text())["elements"]
        nodes = {node["data"]["id"]: node for node in elements["nodes"]}
        self.assertEqual(set(nodes), set(self.nodes()))
        self.assertEqual((nodes["GO:0012"]["data"]["name"], nodes["GO:0012"]["data"]["contribution"]), ("proteolysis", -1.6))
        self.assertGreater(nodes["GO:0012"]["position"]["y"], nodes["GO:0003"]["position"]["y"])
        self.assertIn(("GO:0012", "GO:0003", "is_a"), [tuple(edge["data"][k] for k in ("source", "target", "interaction")) for edge in elements["edges"]])

    def test_csv_has_what_the_table_shows(self):
        self.one("#search").send_keys("pro")
        rows = self.saved_table("terms.csv")
        self.assertEqual([r["label"] for r in rows], self.rows())
        proteolysis = next(r for r in rows if r["id"] == "GO:0012")
        self.assertEqual((proteolysis["selected"], proteolysis["contribution"], proteolysis["support anti-longevity"]), ("4", "-1.6", "2"))

    def test_csv_holds_no_formulas(self):
        self.open("formulas")
        labels = [row["label"] for row in self.saved_table("terms.csv")]
        self.assertEqual(labels, ["'=1+1", "'+1 800", "'-x", "'@SUM(A1)", "'\t=1", "-3", "a=b"])
        self.assertEqual({row["contribution"] for row in self.saved_table("terms.csv")}, {"-1.5"}) # a number stays one
        self.open("formulas", "#view=instances&list=all")
        self.assertEqual(next(csv.DictReader(self.saved("instances.csv").read_text().splitlines()))["id"], "'=HYPERLINK(1)")

    def test_list_is_that_of_the_view_as_soon_as_it_opens(self):
        kinds = lambda: browser.execute_script("""document.querySelector('#files summary').click();
            return [document.querySelector('#files').open, ...[...document.querySelectorAll('[data-export$=csv]')].map(b => b.dataset.export)]""")
        self.assertEqual(kinds(), [True, "terms.csv"])
        self.assertFalse(kinds()[0])
        self.view("instances")
        self.assertEqual(kinds()[:2], [True, "instances.csv"])

    def test_files_of_other_views(self):
        self.open("sample", "#view=instances&instance=W1&other=W3")
        xml.dom.minidom.parse(str(self.saved("contributions2.svg")))
        rows = self.saved_table("differences.csv")
        self.assertEqual(rows[0]["daf-16"], "2.5")
        rows = self.saved_table("terms1.csv")
        self.assertIn("proteolysis", [r["why"].split(" below")[0].replace("left out: ", "") for r in rows])
        self.open("sample", "#view=model&run=1")
        self.assertEqual([r["present"] for r in self.saved_table("model.csv")], ["2.2", "-1.4", "0.9", "-0.8"])


class Everyone(Page):
    VIEWS = ("", "#term=GO:0012&term=GO:0007", "#view=instances&instance=W1&other=W3", "#view=instances&instance=W1&beside=1", "#view=model&run=1", "#view=model&run=2",
             "#view=model&run=3", "#view=about")

    def test_by_keys_alone(self):
        self.open("sample")
        press = lambda *keys: ActionChains(browser).send_keys(*keys).perform()
        press("/")
        press("heat")
        self.assertEqual(self.rows(), ["response to heat"])
        for _ in range(60): # to the box of the row
            press(Keys.TAB)
            if browser.switch_to.active_element.get_attribute("aria-label") == "Choose response to heat":
                break
        press(Keys.SPACE)
        self.assertEqual(self.chosen(), ["response to heat"])
        for _ in range(60):
            press(Keys.TAB)
            if browser.switch_to.active_element.get_attribute("data-term"):
                break
        self.assertEqual(browser.switch_to.active_element.get_attribute("data-term"), "GO:0007")
        press(Keys.ARROW_UP)
        above = browser.switch_to.active_element.get_attribute("data-term")
        self.assertEqual(above, "GO:0002")
        press(Keys.SPACE)
        self.assertEqual(self.chosen(), ["response to heat", "response to stimulus"])
        self.assertEqual(browser.switch_to.active_element.get_attribute("data-term"), above)
        press("c")
        self.assertIn("collapsed", browser.switch_to.active_element.get_attribute("aria-label"))
        press(Keys.ENTER)
        self.assertEqual(self.chosen(), ["response to stimulus"])

    def test_focus_stays_where_it_is(self):
        focus = lambda: browser.execute_script("const e = document.activeElement; return e.dataset.sort || e.dataset.term || e.getAttribute('aria-label') || (e.closest('label') || e).textContent")
        self.open("large")
        field = self.field("Colour")
        field.send_keys(Keys.ARROW_DOWN)
        self.assertIn("Colour", focus())
        self.assertEqual(self.field("Colour").get_attribute("value"), "selection")
        self.one('[data-sort="score"]').send_keys(Keys.ENTER)
        self.assertEqual(focus(), "score")
        box = self.all(".tick input")[5]
        name = box.get_attribute("aria-label")
        box.send_keys(Keys.SPACE)
        self.assertEqual(focus(), name)
        self.button("Next page").send_keys(Keys.ENTER)
        self.assertEqual(focus(), "Next page")
        for pressed in ("false", "true"): # the second time the term, drawn because it was chosen, may leave the drawing
            browser.execute_script(f"document.querySelector('.map .node[aria-pressed={pressed}]').focus()")
            term = focus()
            browser.switch_to.active_element.send_keys(" ")
            self.assertIn(focus(), [term] if pressed == "false" else self.nodes())
        self.open("sample", "#view=instances&instance=W1")
        self.one('[aria-label^="Compare with daf-16"]').send_keys(Keys.ENTER)
        self.assertEqual(focus(), "Compare with daf-16 (W3)")

    def test_everything_has_a_name(self):
        for fragment in self.VIEWS:
            self.open("sample", fragment)
            self.one("#files summary").click()
            nameless = browser.execute_script("""
                const named = e => (e.getAttribute('aria-label') || e.textContent || '').trim() || (e.labels && [...e.labels].some(l => l.textContent.trim()));
                const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
                return [...document.querySelectorAll('button, select, input, [role=button], [role=region], nav, svg[role]')].filter(e => !named(e)).map(e => e.outerHTML.slice(0, 100))
                  .concat(ids.filter((id, i) => ids.indexOf(id) !== i), [...document.querySelectorAll('th:not([scope])')].map(e => 'no scope: ' + e.textContent));""")
            self.assertEqual(nameless, [], fragment)
            self.assertEqual(len(self.all("main")), 1)
            self.assertEqual(len(self.all("h1")), 1)

    def test_names_stay_text(self):
        for fragment in self.VIEWS:
            self.open("sample", fragment)
            self.assertEqual(len(self.all("script")), 2)
            self.assertEqual(self.all("img, b"), [])
        self.open("sample")
        self.assertIn("<script>alert(1)</script><img src=x onerror=alert(2)>", self.rows())

    def test_phone(self):
        for width in (360, 390):
            self.window(width, 844)
            for name, fragments in (("sample", self.VIEWS), ("large", ("", "#view=instances&instance=ENSG00000001"))):
                for fragment in fragments:
                    self.open(name, fragment)
                    self.assertLessEqual(browser.execute_script("return document.documentElement.scrollWidth"), width, fragment)

    def test_long_names_are_cut_and_whole_as_tooltips(self):
        for width in (390, 1400):
            self.window(width, 900)
            for fragment in ("", "#view=instances", "#view=model"):
                self.open("long", fragment)
                self.assertLessEqual(browser.execute_script("return document.documentElement.scrollWidth"), width, fragment)
                tall = browser.execute_script("return Math.max(0, ...[...document.querySelectorAll('.table tr')].map(e => e.getBoundingClientRect().height))")
                self.assertLess(tall, 200, fragment)
                for name in self.all(".cut, .clamp"):
                    self.assertEqual(name.get_attribute("title"), name.get_attribute("textContent"))
            self.open("long")
            self.assertGreater(len(self.all("td .cut")), 5)
            self.assertGreater(len(self.all("th .clamp")), 5)
            narrow = browser.execute_script("return Math.min(...[...document.querySelectorAll('.legend svg')].map(e => e.getBoundingClientRect().width))")
            self.assertGreaterEqual(narrow, 16)

    def test_tap_on_a_phone_shows_the_drawing(self):
        self.window(390, 844)
        self.open("large")
        place = lambda: browser.execute_script("return document.querySelector('.map').getBoundingClientRect().top")
        self.assertGreater(place(), 600)
        self.all(".tick input")[0].click() # choosing several: the table stays
        self.assertGreater(place(), 600)
        self.all("tbody button.link")[1].click()
        self.assertLess(place(), 200)
        self.assertEqual(len(self.all('.map .node[aria-pressed="true"]')), 1)

    def test_list_of_instances_is_not_cut(self):
        for width in (390, 1400):
            self.window(width, 844)
            self.open("sample", "#view=instances")
            wide, frame = browser.execute_script("const e = document.querySelector('.pane:first-child .scroll'); return [e.scrollWidth, e.clientWidth]")
            self.assertLessEqual(wide, frame)

    def test_parents_and_children_are_links(self):
        self.open("sample", "#term=GO:0012")
        parent = self.one(".facts dd a")
        name, target = parent.text, parent.get_attribute("href")
        parent.click()
        self.assertEqual(self.chosen(), [name])
        self.open("sample", target[target.index("#"):])
        self.assertEqual(self.chosen(), [name])

    def test_contrast_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            self.media(scheme)
            for fragment in self.VIEWS:
                self.open("sample", fragment)
                poor = browser.execute_script(r"""
                    const rgb = c => c[0] === '#' ? [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16)) : (c.match(/[\d.]+/g) || []).map(Number).map((v, i) => c.startsWith('color(') && i < 3 ? v * 255 : v);
                    const light = c => { const [r, g, b] = rgb(c).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
                    const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
                    const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgb(c)[3] !== 0) return c; } return 'rgb(255,255,255)'; };
                    const found = [];
                    for (const e of document.querySelectorAll('h1,h2,h3,p,dt,dd,button,td,th,small,summary,label span,span,li,pre,strong')) {
                      if (e.closest('#status') || e.closest(':disabled') || !e.textContent.trim() || e.closest('svg')) continue;
                      const r = ratio(getComputedStyle(e).color, ground(e));
                      if (r < 4.5) found.push(r.toFixed(2) + ' ' + e.outerHTML.slice(0, 90)); }
                    for (const n of document.querySelectorAll('.map .node')) { const r = ratio(n.querySelector(':scope > text').getAttribute('fill'), n.querySelector('.body').getAttribute('fill'));
                      if (r < 4.5) found.push(r.toFixed(2) + ' ' + n.textContent); }
                    return found;""")
                self.assertEqual(poor, [], f"{scheme} {fragment}")
                dark = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
                self.assertEqual(dark == "rgb(15, 19, 24)", scheme == "dark")

    def test_switch_of_light_and_dark(self):
        self.open("sample")
        ground = lambda: browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        body = lambda: self.node("GO:0000").find_element(By.CSS_SELECTOR, ".body").get_attribute("fill")
        before = ground(), body()
        self.assertEqual(self.one("#theme").text, "Dark")
        self.one("#theme").click()
        self.assertNotEqual(ground(), before[0])
        self.assertNotEqual(body(), before[1])
        self.assertEqual(self.one("#theme").text, "Light")
        self.one("#theme").click()
        self.assertEqual((ground(), body()), before)
        browser.execute_script("localStorage.clear()")

    def test_print(self):
        for fragment in self.VIEWS:
            self.open("sample", fragment)
            pdf = browser.execute_cdp_cmd("Page.printToPDF", {})["data"]
            self.assertGreater(len(pdf), 5000)
            self.media(kind="print")
            self.assertEqual([e for e in self.all("#views, .tools, .mapbuttons") if e.is_displayed()], [])
            self.media()

    def test_columns_stand_below_their_heads_on_paper(self):
        self.open("sample")
        self.media(kind="print")
        lefts = lambda css: browser.execute_script("return [...document.querySelectorAll(arguments[0])].filter(e => e.offsetWidth).map(e => e.offsetLeft)", css)
        self.assertEqual(lefts(".table thead th"), lefts(".table tbody tr:first-child > *"))
        self.assertNotIn("Chosen", [e.text for e in self.all(".table thead th") if e.is_displayed()])

    def test_paper_has_all_of_the_drawing(self):
        self.open("large")
        browser.execute_script("for (let i = 0; i < 5; i++) document.querySelector('.mapbuttons button').click()")
        self.media(kind="print")
        inside = """const frame = document.querySelector('.map').getBoundingClientRect();
            return [...document.querySelectorAll('.map .node')].every(n => { const b = n.getBoundingClientRect(); return b.left >= frame.left - 1 && b.right <= frame.right + 1 && b.bottom <= frame.bottom + 1; })"""
        before = browser.execute_script("return document.querySelector('.map > g').getAttribute('transform')")
        self.assertFalse(browser.execute_script(inside))
        browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        self.assertTrue(browser.execute_script(inside))
        browser.execute_script("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(browser.execute_script("return document.querySelector('.map > g').getAttribute('transform')"), before)

    def test_little_or_nothing(self):
        for name in ("bare", "empty"):
            for view in ("terms", "instances", "model", "about"):
                self.open(name, f"#view={view}")
                self.assertTrue(self.one("main").text)
        self.open("bare")
        self.assertEqual(self.rows(), ["f1", "f2"])
        self.assertIn("no hierarchy", self.texts(".found")[1])
        self.assertEqual(set(self.nodes()), {"f1", "f2"})
        self.open("bare", "#view=instances&instance=a")
        self.assertEqual(self.texts(".slot h2"), ["a"])


class Matrix(Page):
    """Every view of pages that hsel explore makes of data of all kinds, with every choice of every list taken once. No console message."""
    NARROW = ("no_ids", "eight", "addresses", "model", "candidates")
    PAGES = ("no_ids", "no_labels", "no_hierarchy", "number", "eight", "few", "addresses", "store", "stored_eight", "model", "model_of_numbers", "neighbours", "network", "candidates")
    TRY = """
        const tried = [];
        for (let i = 0; i < document.querySelectorAll('main select').length; i++) {
          const values = [...document.querySelectorAll('main select')[i].options].map(o => o.value);
          for (const value of [...values, values[0]]) {
            const select = document.querySelectorAll('main select')[i];
            if (!select || ![...select.options].some(o => o.value === value)) continue;
            select.value = value;
            select.dispatchEvent(new Event('change'));
            tried.push(value);
          } }
        for (let i = 0; i < document.querySelectorAll('[data-sort]').length; i++) document.querySelectorAll('[data-sort]')[i].click();
        for (const css of ['tbody .link', 'tbody .small', '.map .node', '.barrow', '.tools .toggle'])
          for (const e of [...document.querySelectorAll(css)].slice(0, 4)) if (e.isConnected) e.dispatchEvent(new MouseEvent('click', {bubbles: true}));
        document.querySelector('#files summary').click();
        return tried;"""

    @classmethod
    def setUpClass(cls):
        for name, arguments in pages.matrix(ROOM / "data", lambda *words: subprocess.run([HSEL, *words], check=True, stdout=subprocess.DEVNULL, cwd=ROOM / "data")).items():
            subprocess.run([HSEL, "explore", "-q", *arguments, "-o", ROOM / f"{name}.html"], check=True, cwd=ROOM / "data")

    def test_every_view(self):
        for name in self.PAGES:
            for width, view in itertools.product((1400, 400) if name in self.NARROW else (1400,), ("terms", "instances", "model", "about")):
                with self.subTest(f"{name} {view} {width}"):
                    self.window(width, 900)
                    self.open(name, f"#view={view}")
                    self.check_frame(name) if self.all(".map") else None
                    self.assertNotIn("cannot be shown", self.texts("#status")[0])
                    shown = self.one("main").text
                    self.assertNotRegex(shown, r"undefined|NaN|\bnull\b|\[object")
                    self.assertLessEqual(browser.execute_script("return document.documentElement.scrollWidth"), width)
                    self.assertEqual(browser.execute_script("""return [...document.querySelectorAll('.chart text')].filter(e => { const box = e.getBBox();
                        return box.x < -1 || box.x + box.width > e.ownerSVGElement.viewBox.baseVal.width + 1; }).map(e => e.textContent)"""), [])
                    if width == 1400:
                        browser.execute_script(self.TRY)
                    self.assertEqual([entry["message"] for entry in browser.get_log("browser")], [])

    def test_rows_without_identifiers_are_called_by_number(self):
        self.open("no_ids", "#view=instances&list=all")
        self.assertEqual([text.split(" \u2022")[0] for text in self.rows()[:3]], ["instance 1", "instance 2", "instance 3"])
        self.one("#find").send_keys("instance 17")
        self.all("tbody button.link")[0].click()
        self.assertEqual(self.texts(".slot h2"), ["instance 17"])
        self.assertIn("instance=%2317", self.fragment())
        self.open("no_ids", "#view=instances&instance=%2317")
        self.assertEqual(self.texts(".slot h2"), ["instance 17"])
        first = self.saved_table("instances.csv")[0]
        self.assertEqual((f"instance {first['instance']}", first["id"]), (self.rows()[0].split(" \u2022")[0], ""))

    def test_each_class_has_its_colour(self):
        self.open("eight", "#scope=listed&q=only")
        stripe = lambda term: self.node(term).find_elements(By.CSS_SELECTOR, "rect")[1].get_attribute("fill")
        terms = [f"only{c}" for c in range(8)]
        self.assertEqual(set(self.nodes()) - set(terms), {"top"})
        self.assertEqual(len({stripe(term) for term in terms}), 8)
        spoken = dict(zip(self.rows(), self.texts("tbody td:nth-of-type(4)")))
        for c, term in enumerate(terms):
            self.assertIn(f"for class {c}", self.one(".legend").text)
            self.assertRegex(self.node(term).text, rf"\+\d.\d\d class {c}")
            self.assertEqual(spoken[term], f"class {c}")
        Select(self.field("Class")).select_by_visible_text("class 3 against the rest")
        self.assertEqual(self.one(".legend").text.split("\n")[:3], ["against class 3", "0", "for class 3"])
        sign = {term: self.node(term).text.split("\n")[-1][0] for term in terms}
        self.assertEqual(sign, {term: "+" if term == "only3" else "\u2212" for term in terms})
        # colours that are alike for people who do not see red or green stay apart by how light they are or by their blue
        for scheme in ("light", "dark"):
            self.media(scheme)
            hues = browser.execute_script("return [...Array(8).keys()].map(i => getComputedStyle(document.documentElement).getPropertyValue('--hue' + i).trim())")
            for a, b in itertools.combinations([dichromat(hue) for hue in hues], 2):
                self.assertGreater(max(abs(x - y) for x, y in zip(a, b)), 20, hues)

    def test_contributions_are_to_the_class_that_is_predicted(self):
        self.open("eight", "#view=instances&as=5&list=all")
        self.assertIn("What adds up to the log-odds of class 5", self.texts(".slot h3"))
        self.assertIn("for class 5", self.one(".slot .legend").text)
        self.assertEqual(set(self.texts("tbody td:nth-of-type(3) .tag")), {"class 5"})

    def test_addresses_are_shortened_and_whole_as_tooltips(self):
        self.open("addresses")
        names = {button.text: button.get_attribute("title") for button in self.all("tbody button.link")}
        self.assertEqual(names["Town (one.example)"], "http://one.example/class/Town")
        self.assertEqual(names["Town (two.example)"], "http://two.example/Town")
        self.assertEqual(names["River"], "http://one.example/class#River")
        self.assertEqual([name for name in names if "://" in name], [])
        self.assertIn("http://one.example/class/Town", [row["id"] for row in self.saved_table("terms.csv")])

    def test_training_is_called_training(self):
        self.open("model", "#view=about")
        self.assertEqual([head for head in self.texts(".about thead th") if "AUROC" in head], ["training AUROC"])
        self.assertIn("of the training instances", self.one(".about").text)
        self.open("eight", "#view=about")
        self.assertIn("AUROC", self.texts(".about thead th"))
        self.assertIn("out-of-fold", self.one(".about").text)
        self.open("model_of_numbers", "#view=about")
        self.assertIn("may be those of training", self.one(".about").text)

    def test_unlabelled_instances_are_listed_and_filtered(self):
        self.open("model", "#view=instances")
        lists = [text.split(" (")[0] for text in self.texts(".tools[aria-label='Lists of instances'] button")]
        self.assertEqual(lists, ["Most certain", "Most doubtful", "Misclassified, in-sample", "Not labelled", "All"])
        self.assertEqual(set(self.texts("tbody td:nth-of-type(2) .tag")), {"unknown"}) # of what it did not learn from
        self.button("Not labelled (6)").click()
        self.assertEqual(len(self.rows()), 6)
        self.assertIn("new instance", self.one(".strip").text)
        self.button("All").click()
        everyone = len(self.rows())
        Select(self.field("Class")).select_by_visible_text("unknown")
        self.assertEqual(len(self.rows()), 6)
        Select(self.field("Class")).select_by_visible_text("yes")
        self.assertLess(len(self.rows()), everyone - 6)
        self.assertIn("in-sample", self.one(".strip").text)

    def test_candidates_are_ranked_and_compared_with_the_known(self):
        self.open("candidates") # the view that opens
        self.assertEqual(self.texts("#views button[aria-current]"), ["Candidates"])
        self.assertEqual([text.split(" (")[0] for text in self.texts(".tools[aria-label='Lists of instances'] button")],
                         ["Candidates", "Known, ranked low", "Known, ranked high", "All"])
        self.assertEqual(self.texts("thead th")[:4], ["Instance", "P(labelled)", "Rank", "Top %"])
        self.assertIn("Rank\n1 of 75", self.one(".strip").text)
        self.assertNotIn("misclassified", self.one("main").text)
        table = self.saved_table("instances.csv")
        self.assertEqual(({row["class"] for row in table}, len(table)), ({"unlabelled"}, 75))
        scores = [float(row["score"]) for row in table]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual([int(row["rank"]) for row in table], [1 + sum(other > own for other in scores) for own in scores])
        known = Select(self.field("Next to it, the known"))
        self.assertEqual(len(known.options), 1 + 15)
        known.select_by_index(1)
        self.assertEqual(len(self.texts(".slot h2")), 2)
        self.button("Known, ranked low (5)").click()
        low = [int(row["rank"]) for row in self.saved_table("instances.csv")]
        self.button("Known, ranked high (5)").click()
        high = [int(row["rank"]) for row in self.saved_table("instances.csv")]
        self.assertEqual((low, high), (sorted(low, reverse=True), sorted(high)))
        self.assertLessEqual(high[0], low[0])
        self.view("terms")
        self.open("candidates", self.fragment())
        self.assertEqual(self.texts("#views button[aria-current]"), ["Terms"])

    def test_unlabelled_instances_are_listed_without_prediction_where_others_are_cross_validated(self):
        self.open("some", "#view=instances")
        self.button("Not labelled (6)").click()
        self.assertEqual(self.texts("tbody tr > :first-child"), [f"i{i}" for i in range(6)])
        self.assertIn("predicts no instance without a class", self.one(".found").text)
        self.assertIn("predicts no instance without a class", self.one(".slot .hint").text)
        self.button("All").click()
        self.assertEqual(len(self.rows()), 90)
        Select(self.field("Class")).select_by_visible_text("unknown")
        self.assertEqual(len(self.rows()), 6)
        self.one("tbody button.link").click()
        self.open("some", "#view=about")
        self.assertIn("not known (6)", self.one(".about").text)


def dichromat(colour):
    """As people without red or without green receptors may see it: mean of red and green, blue, lightness (0 to 255)."""
    r, g, b = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
    return (0.55 * r + 0.45 * g, b, 0.2126 * r + 0.7152 * g + 0.0722 * b)


class Real(Page):
    """What hsel explore makes of the worm genes in data/."""

    def test_draws_all_at_the_places_of_dot(self):
        if not shutil.which("dot"):
            self.skipTest("Graphviz is not installed")
        page = ROOM / "all.html"
        subprocess.run([HSEL, "explore", HERE.parent.parent / "data" / "rpv" / "CE-BP", "--select", "shsel", "-q", "-o", page], check=True)
        text = page.read_text()
        terms = json.JSONDecoder().raw_decode(text, text.index('id="data">') + 10)[0]["terms"]
        places = {name: at for name, at in zip(terms["id"], terms["layout"]) if at}
        parents = {name: [terms["id"][p] for p in above] for name, above in zip(terms["id"], terms["parents"])}
        for name, (_, y) in places.items():
            for parent in parents[name]:
                self.assertLess(places[parent][1], y, "a parent is not drawn above its child")
        self.open("all")
        self.assertLess(len(self.nodes()), len(places))
        Select(self.field("Draw")).select_by_visible_text(f"all selected, with ancestors ({len(places)})")
        self.assertEqual(set(self.nodes()), set(places))
        self.check_boxes()
        self.assertEqual(browser.execute_script("return document.querySelectorAll('.map path').length"), sum(len(parents[name]) for name in places))
        Select(self.field("Draw")).select_by_visible_text("most important terms")
        self.assertLess(len(self.nodes()), len(places))

    def test_numbers(self):
        data, page = ROOM / "heights.csv", ROOM / "numbers.html"
        data.write_text("id,a,b,y\n" + "".join(f"i{i},{i % 2},{i * i % 7},{100 * (i % 2) + 7 * (i * i % 7)}\n" for i in range(24)))
        (ROOM / "up.tsv").write_text("b\ta\n")
        subprocess.run([HSEL, "explore", data, "--id", "id", "--target", "y", "--hierarchy", ROOM / "up.tsv", "--folds", "4", "--classify", "knn:k=2",
                        "--details", "3", "-q", "-o", page], check=True)
        self.open("numbers")
        self.assertIn("Effect", self.one(".panes thead").text)
        self.assertIn("raises y", self.one(".pane:last-child").text)
        self.view("instances")
        self.assertEqual([text.split(" (")[0] for text in self.texts(".tools[aria-label='Lists of instances'] button")],
                         ["Furthest off", "Highest predicted", "Lowest predicted", "All"])
        facts = dict(zip(self.texts(".strip dt"), self.texts(".strip dd")))
        off = float(facts["Off by"].replace("\u2212", "-"))
        self.assertAlmostEqual(float(facts["Predicted"]) - float(facts["y"]), off, places=1)
        values = [float(text.replace("\u2212", "-")) for text in self.texts(".chart g > g > text:last-of-type")]
        self.assertAlmostEqual(sum(values[:-1]), values[-1], delta=0.05 * len(values))
        self.assertAlmostEqual(values[-1], float(facts["Predicted"]), places=1)
        self.assertNotIn("Class", facts)
        self.view("about")
        self.assertIn("RMSE", self.one("main").text)
        self.assertNotIn("per cent", self.one("main").text)

    def test_worm_genes(self):
        if subprocess.run([HSEL, "help", "explore"], capture_output=True).returncode:
            self.skipTest("this program has no hsel explore")
        page = ROOM / "worms.html"
        subprocess.run([HSEL, "explore", HERE.parent.parent / "data" / "rpv" / "CE-BP", "--select", "rpv,hip", "--classify", "nb", "-q", "-o", page], check=True)
        self.assertIn('<link rel="icon" href="data:,">', page.read_text()) # or a server is asked for one
        self.open("worms")
        self.assertEqual(self.one("h1").text, "CE-BP")
        self.assertGreaterEqual(len(self.nodes()), 15)
        self.one("#search").send_keys("lifespan")
        self.assertIn("determination of adult lifespan", self.rows())
        self.view("instances")
        self.all("tbody button.link")[0].click()
        self.assertGreater(len(self.all(".chart .barrow")), 0)
        self.assertIn("before calibration", self.one(".slot").text)
        self.assertNotEqual(self.texts(".slot .why"), [])
        for view in ("model", "about"):
            self.view(view)
            self.assertTrue(self.one("main").text)
        self.assertIn("relevant positive values; naive Bayes", self.one("main").text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
