"""A report as text, in one piece or in pages."""
from dataclasses import replace

from pages import BOTTOM, one_page, page_lines, pages_of
from table import Table


def text_lines(report, outlines):
    """The lines of the whole report."""
    if report.page is not None:
        return paged_lines(report, outlines)
    lines = [report.title, ""] if report.title is not None else []
    untitled = replace(report, title=None)
    for number, outlined in enumerate(outlines):
        lines += [""] if number else []
        lines += written_pages(untitled, outlined, one_page(outlined))[0]
    return lines


def paged_lines(report, outlines):
    pages = [page for outlined in outlines
             for page in written_pages(report, outlined, pages_of(report, outlined))]
    lines = []
    for number, page in enumerate(pages, 1):
        gap = [""] * max(1, report.page - BOTTOM + 1 - len(page))
        lines += page + gap + ["page %d of %d" % (number, len(pages))]
    return lines


def written_pages(report, outlined, pages):
    """The pages of a section, whose columns are as wide on each of them."""
    drafts = [page_lines(report, page) for page in pages]
    table = Table(outlined.section.columns, outlined.sides,
                  [line for draft in drafts for line in draft])
    return [[table.written(line) for line in draft] for draft in drafts]
