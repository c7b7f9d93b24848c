/** CHANGELOG.md as text: what is not released yet, the last release, and the step from one to the other. */

const heading = '## Unreleased'

/** The text between the heading of what is not released, and that of the last release; empty without such a heading. */
export const unreleasedNotes = (changelog: string): string => {
  const [, rest = ''] = changelog.split(`\n${heading}\n`)
  return (rest.split(/^## /m, 1)[0] ?? '').trim()
}

/** The version of the last release; null before the first. */
export const lastRelease = (changelog: string): string | null =>
  /^## (\d+\.\d+\.\d+)/m.exec(changelog)?.[1] ?? null

/** The changelog with the notes below a heading with the version and the date, such as `2026-11-30`. */
export const withRelease = (changelog: string, version: string, date: string): string =>
  changelog.replace(`\n${heading}\n`, () => `\n${heading}\n\n## ${version} (${date})\n`)

/**
 * The faults of notes that have to list exactly the changes that break clients, each as a line ``- Breaking: `change` ``.
 */
export const listingFaults = (notes: string, changes: readonly string[]): readonly string[] => {
  const listed = [...notes.matchAll(/^- Breaking: `([^`]+)`/gm)].map(([, change = '']) => change)
  return [
    ...changes
      .filter((change) => !listed.includes(change))
      .map((change) => `CHANGELOG.md lacks the line: - Breaking: \`${change}\``),
    ...listed
      .filter((change) => !changes.includes(change))
      .map((change) => `CHANGELOG.md lists what is no breaking change since the last release: ${change}`),
    ...listed
      .filter((change, index) => listed.indexOf(change) !== index)
      .map((change) => `CHANGELOG.md lists a breaking change twice: ${change}`),
  ]
}
