"""The report of the paper's own results, also as a browser shows it."""

import html
import json
import re
import shutil
import subprocess

import pytest

from paper import buffering, cost, overall, papers_runs, pictures, report

pytest.importorskip("jinja2", reason="python3-jinja2 is missing")

CHROMIUM = shutil.which("chromium")
LOOK = """<script>document.body.dataset.seen = JSON.stringify({
  widths: [...document.querySelectorAll("figure svg")].map(picture => picture.getBoundingClientRect().width),
  sections: document.querySelectorAll("section h2").length,
  fits: document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  fetched: performance.getEntriesByType("resource").length})</script></body>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("report")
    prices = cost.Prices.read(cost.PRICES)
    overall_cells = papers_runs.of_overall()
    sections = [overall.make(overall_cells, None), buffering.make(papers_runs.of_buffering(), None),
                cost.make(prices, [one.run for one in overall_cells])]
    sections[0].left_out.append("left out: <swap>")
    report.write(made, sections, {"machine": "Xeon <of the paper>"})
    return made


def test_tables_are_written_in_every_form(folder):
    assert "| LJ | bfs | 2.630 | 9.840 | 10.5 | 2.970 |" in (folder / "report.md").read_text()
    assert "LJ,bfs,2.630,9.840,10.5,2.970," in (folder / "overall.csv").read_text()
    page = (folder / "report.html").read_text()
    assert '<td class="number">9.840</td>' in page
    assert "left out: &lt;swap&gt;" in page


@pytest.mark.skipif(bool(pictures.why_none()), reason=pictures.why_none())
def test_pictures_are_written_and_do_not_share_ids(folder):
    for name in ("overall", "buffering", "cost"):
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (folder / f"{name}.svg").read_text()
    ids = re.findall(r'<[^>]*\bid="([^"]+)"', (folder / "report.html").read_text())
    assert len(ids) == len(set(ids))


@pytest.mark.skipif(not CHROMIUM, reason="Debian's package chromium is missing, so no browser can show the report")
def test_a_browser_shows_all_of_it_without_any_other_file(folder):
    page = folder / "looked_at.html"
    page.write_text((folder / "report.html").read_text().replace("</body>", LOOK))
    done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900",
                           f"--user-data-dir={folder / 'browser'}", "--dump-dom", page.as_uri()],
                          capture_output=True, text=True, timeout=120, check=False)
    seen = json.loads(html.unescape(re.search(r'data-seen="([^"]*)"', done.stdout)[1]))
    assert (seen["sections"], seen["fits"], seen["fetched"]) == (3, True, 0)
    assert len(seen["widths"]) == (0 if pictures.why_none() else 3)
    assert all(width > 300 for width in seen["widths"])
