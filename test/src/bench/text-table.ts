/** A table as text. The first line is the head; columns in `left` are aligned left. */
export const aligned = (lines: readonly (readonly string[])[], left: readonly number[]): string => {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n')
}

export const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'not reached')

/** A number with a space between its thousands. */
export const grouped = (value: number): string =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ')
