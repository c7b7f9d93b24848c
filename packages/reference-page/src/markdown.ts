/** Markdown of the parts that come from the declarations. */

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '-'), ...rows].map(row).join('\n')

/** A text that shows every character as it is. */
export const escaped = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>#|&]/g, String.raw`\$&`)
