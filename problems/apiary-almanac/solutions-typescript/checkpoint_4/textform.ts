// A report as text, in one piece or in pages.

import type { Report } from './model'
import type { Outline } from './outline'
import { BOTTOM_LINES, onlyPage, pageLines, pagesOf, titleLines, type Page } from './pages'
import { tableWriter } from './table'

export function textLines (report: Report, outlines: Outline[]): string[] {
  if (report.page !== undefined) return pagedLines(report.page, report, outlines)
  const sections = outlines.flatMap(outline => writtenPages(undefined, outline, [onlyPage(outline)]))
  return [...titleLines(report.title), ...sections.flatMap((lines, index) => index > 0 ? ['', ...lines] : lines)]
}

function pagedLines (length: number, { title }: Report, outlines: Outline[]): string[] {
  const pages = outlines.flatMap(outline => writtenPages(title, outline, pagesOf(length, title, outline)))
  return pages.flatMap((page, index) => {
    const space = Math.max(1, length - BOTTOM_LINES + 1 - page.length)
    return [...page, ...Array<string>(space).fill(''), `page ${index + 1} of ${pages.length}`]
  })
}

/** The pages of a section, whose columns are equally wide on all of them. */
function writtenPages (title: string | undefined, outline: Outline, pages: Page[]): string[][] {
  const drafts = pages.map(page => pageLines(title, page))
  const write = tableWriter(outline, drafts.flat())
  return drafts.map(draft => draft.map(write))
}
