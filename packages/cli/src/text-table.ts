/** Rows of text in even columns, for a terminal. */

/** The head, then the rows; each line ends with its last character. */
export const textTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [head, ...rows]
  const widths = head.map((_cell, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
