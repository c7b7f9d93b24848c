/** Parts of documents that are made from the code: they stand between two comments that name them. */

const markersOf = (name: string): readonly [string, string] => [
  `<!-- ${name}: made by \`npm run docs\` -->`,
  `<!-- end of ${name} -->`,
]

/** The document with the section's text replaced. Throws where it has no such section. */
export const withSection = (document: string, name: string, content: string): string => {
  const [begin, end] = markersOf(name)
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from === -1 || to < from) throw new Error(`no section ${name}: it stands between ${begin} and ${end}`)
  return `${document.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${document.slice(to)}`
}
