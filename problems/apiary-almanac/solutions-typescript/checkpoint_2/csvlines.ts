// Lines of comma-separated values.

/** The cells of a line, or null if its quotes are wrong. */
export function csvCells (line: string): string[] | null {
  const cells: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^",][^,]*|))(,|$)/y
  let end = ','
  while (end === ',') {
    const match = pattern.exec(line)
    if (match === null) return null
    const [, quoted, plain] = match
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
    end = match[3]
  }
  return cells
}

export function csvLine (cells: string[]): string {
  return cells.map(cell => /[,"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell).join(',')
}
