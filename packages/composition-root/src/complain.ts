/** Messages on the standard error for the operator of a program that fails. */

/** A headline and what is wrong, one line each. */
export const complain = (headline: string, lines: readonly string[]): void => {
  process.stderr.write(`${headline}\n${lines.map((line) => `  - ${line}\n`).join('')}`)
}

/** What an error says, without its stack and without the names of errors on its way here. */
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/(^|: )(?:[A-Z]\w*)?Error: /g, '$1')
