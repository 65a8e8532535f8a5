"""Writes sections as Markdown and CSV, as pictures, and as one HTML page that needs no other file."""

import io
import pathlib
import re
import sys

from paper import pictures

TEMPLATE = "report.html.j2"
DOTS_PER_INCH = 160


def write(folder, sections, facts):
    """`facts`: {label: text} on where and how was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {picture.name: _draw(folder, picture) for section in sections for picture in section.pictures}
    for section in sections:
        for table in section.tables:
            (folder / f"{table.name}.csv").write_text(table.csv())
    (folder / "report.md").write_text(markdown(sections, facts, drawn))
    _write_page(folder / "report.html", sections, facts, drawn)


def markdown(sections, facts, drawn):
    lines = ["# The paper's evaluation", "", *(f"- {label}: {text}" for label, text in facts.items())]
    for section in sections:
        lines += ["", f"## {section.title}", "", f"In the paper: {section.paper}", "", f"Here: {section.how}", ""]
        lines += [*(f"- {sentence}" for sentence in section.found), ""]
        for table in section.tables:
            lines += [f"{table.caption}:", "", table.markdown(), ""]
        lines += [f"![{picture.caption}]({picture.name}.svg)" for picture in section.pictures if drawn[picture.name]]
        lines += [f"- {why}" for why in section.left_out]
    return "\n".join(lines) + "\n"


def _draw(folder, picture):
    """Returns the SVG, or None where nothing can be drawn."""
    if pictures.why_none():
        return None
    figure = picture.draw()
    if not figure:
        return None
    figure.savefig(folder / f"{picture.name}.png", dpi=DOTS_PER_INCH)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    pictures.pyplot.close(figure)
    (folder / f"{picture.name}.svg").write_text(text.getvalue())
    return _inline(text.getvalue(), picture.name)


def _inline(svg, name):
    """An SVG to be put into a page: without its prologue, and with ids that no other picture has."""
    body = svg[svg.index("<svg"):]
    return re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", body)


def _write_page(path, sections, facts, drawn):
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError:
        print(f"{path} was not written: python3-jinja2 is missing; install it by deploy/install_packages "
              "evaluation/packages.txt", file=sys.stderr)
        return
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    page = environment.get_template(TEMPLATE).render(
        sections=sections, facts=facts, drawn={name: svg and Markup(svg) for name, svg in drawn.items()},
        no_pictures=pictures.why_none())
    path.write_text(page)
