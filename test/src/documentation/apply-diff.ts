/**
 * Applies a diff of the guide to sources that may have more than it expects, or parts of it already: a hunk goes after the
 * line that is above it in the diff, regardless of the lines below, and a hunk whose lines are there is left out.
 */

type Line = { readonly sign: ' ' | '-' | '+'; readonly text: string }

/** What a diff does to one file; a new file has one hunk without lines of context. */
type FileDiff = {
  readonly path: string
  readonly isNew: boolean
  readonly hunks: readonly (readonly Line[])[]
}

const lineOf = (line: string): Line => {
  const [sign = ' ', text] = [line[0], line.slice(1)]
  if (sign !== ' ' && sign !== '-' && sign !== '+') throw new Error(`no line of a diff: ${line}`)
  return { sign, text }
}

/** The files of a unified diff. */
export const parseDiff = (diff: string): readonly FileDiff[] =>
  diff
    .split(/^(?=--- )/m)
    .filter((part) => part !== '')
    .map((part) => {
      const [, from, path] = /^--- (\S+)\n\+\+\+ b\/(\S+)\n/.exec(part) ?? []
      if (path === undefined) throw new Error(`no file in a diff: ${part}`)
      const hunks = part.split(/^@@ .*\n/m).slice(1)
      return {
        path,
        isNew: from === '/dev/null',
        hunks: hunks.map((hunk) => hunk.replace(/\n$/, '').split('\n').map(lineOf)),
      }
    })

/** Where the lines of a hunk that a file has stand in it, in their order and as close together as possible. */
const placesOf = (path: string, lines: readonly string[], wanted: readonly string[]): readonly number[] => {
  let best: readonly number[] | null = null
  for (const [start, line] of lines.entries()) {
    if (line !== wanted[0]) continue
    const places = [start]
    for (const each of wanted.slice(1)) places.push(lines.indexOf(each, (places.at(-1) ?? start) + 1))
    const isShorter = best === null || (places.at(-1) ?? 0) - start < (best.at(-1) ?? 0) - (best[0] ?? 0)
    if (!places.includes(-1) && isShorter) best = places
  }
  if (best === null)
    throw new Error(`${path} has not all of these lines in this order:\n${wanted.join('\n')}`)
  return best
}

const applyHunk = (path: string, lines: readonly string[], hunk: readonly Line[]): readonly string[] => {
  if (hunk.every(({ sign, text }) => sign !== '+' || lines.includes(text))) return lines
  const places = placesOf(
    path,
    lines,
    hunk.filter(({ sign }) => sign !== '+').map(({ text }) => text),
  )
  const result: string[] = []
  const [first = 0] = places
  let [next, at] = [0, hunk[0]?.sign === '+' ? first : 0]
  result.push(...lines.slice(0, at))
  for (const { sign, text } of hunk) {
    if (sign === '+') {
      result.push(text)
      continue
    }
    const place = places[next] ?? at
    result.push(...lines.slice(at, place), ...(sign === ' ' ? [text] : []))
    ;[next, at] = [next + 1, place + 1]
  }
  return [...result, ...lines.slice(at)]
}

/** A file with what a diff of it adds; null if there is no such file. */
export const applyDiff = ({ path, isNew, hunks }: FileDiff, text: string | null): string => {
  if (isNew) return hunks.flatMap((hunk) => hunk.map((line) => `${line.text}\n`)).join('')
  if (text === null) throw new Error(`there is no ${path}`)
  return hunks
    .reduce((lines: readonly string[], hunk) => applyHunk(path, lines, hunk), text.split('\n'))
    .join('\n')
}
