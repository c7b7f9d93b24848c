/** Inline content: runs of text, each with the elements around it, from the outermost to the innermost. */
import { bodySchema } from '@publishing-service/domain/markup'
import { declarationsOf, type HtmlElement } from './html-tree.js'
import { isMarkupElement, type Attribute, type MarkupNode } from './markup-tree.js'

/** An element around runs. Adjacent runs with the same one are in one element. */
export type Inline = { readonly name: string; readonly attributes: readonly Attribute[] }

export type Format = readonly Inline[]

export type Run = { readonly node: MarkupNode; readonly format: Format }

const isBold = (weight: string): boolean => /^(?:bold|bolder|[6-9]00)$/.test(weight)

const without = (format: Format, ...names: readonly string[]): Format =>
  format.some(({ name }) => names.includes(name))
    ? format.filter(({ name }) => !names.includes(name))
    : format

/** Elements that browsers show in the same way. */
const alike: Readonly<Record<string, string>> = { strong: 'b', b: 'strong', em: 'i', i: 'em' }

/** The format with an element. An inner link wins over an outer one. */
export const formatWith = (format: Format, inline: Inline): Format => {
  const has = format.some(({ name }) => name === inline.name || name === alike[inline.name])
  if (has && inline.attributes.length === 0) return format
  const { name } = inline
  const isOnce = bodySchema.byName.get(name)?.notWithin.includes(name) === true
  return [...(isOnce ? without(format, name) : format), inline]
}

const bold = ['strong', 'b']
const slanted = ['em', 'i']

/** What the style of an element says wins over what its name says: Google Docs has a `b` that is not bold. */
export const formatWithStyle = (element: HtmlElement, around: Format): Format => {
  const style = declarationsOf(element)
  let format = around
  const set = (names: readonly string[], isSet: boolean): void => {
    const [name = ''] = names
    if (!isSet) format = without(format, ...names)
    else if (!format.some((each) => names.includes(each.name)))
      format = formatWith(format, { name, attributes: [] })
  }
  const weight = style.get('font-weight')
  if (weight !== undefined && weight !== 'inherit') set(bold, isBold(weight))
  const slant = style.get('font-style')
  if (slant !== undefined && slant !== 'inherit') set(slanted, /^(?:italic|oblique)/.test(slant))
  const decoration = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`
  if (decoration.includes('line-through')) set(['s', 'del'], true)
  if (decoration.includes('underline')) set(['u', 'ins'], true)
  if (/\bnone\b/.test(decoration) && ['u', 's'].includes(element.name)) set([element.name], false)
  const position = style.get('vertical-align')
  if (position === 'super') set(['sup'], true)
  if (position === 'sub') set(['sub'], true)
  // Links are underlined in any case.
  return format.some(({ name }) => name === 'a') ? without(format, 'u') : format
}

const isBreak = (node: MarkupNode): boolean => isMarkupElement(node) && node.name === 'br'

const isPlace = (node: MarkupNode): boolean =>
  typeof node === 'object' && 'medium' in node && node.element === null

/** Whether a run has only white space, also of the kind that is not collapsed. */
export const isBlankRun = ({ node }: Run): boolean =>
  typeof node === 'string' ? /^[\s\u00a0]*$/.test(node) : isBreak(node) || isPlace(node)

/** The runs without line breaks before their text. */
export const withoutFirstBreaks = (runs: readonly Run[]): Run[] => {
  const from = runs.findIndex(({ node }) => typeof node !== 'string' || !/^\n*$/.test(node))
  return runs
    .slice(Math.max(from, 0))
    .map((run, index) =>
      index === 0 && typeof run.node === 'string' ? { ...run, node: run.node.replace(/^\n+/, '') } : run,
    )
}

/** Sequences of spaces, and of spaces that are not collapsed, as one space. */
const singleSpaces = (text: string): string =>
  text.replaceAll(/[ \t\r\n\f]+/g, ' ').replaceAll(/[ \u00a0]{2,}/g, ' ')

const withoutEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && ' \u00a0'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The runs without white space at the start, at the end, and after white space. */
const trimmed = (runs: readonly Run[]): readonly Run[] => {
  const first = runs.findIndex((run) => !isBlankRun(run))
  const last = runs.findLastIndex((run) => !isBlankRun(run))
  const result: Run[] = []
  let endsWithSpace = true
  for (const [index, run] of runs.entries()) {
    const { node, format } = run
    if (index < first || index > last || first === -1) {
      if (isPlace(node)) result.push(run)
      continue
    }
    if (typeof node !== 'string') {
      result.push(run)
      if (!isPlace(node)) endsWithSpace = isBreak(node)
      continue
    }
    const text = singleSpaces(node)
    const rest = endsWithSpace ? text.replace(/^[ \u00a0]+/, '') : text
    if (rest === '') continue
    const shown = index === last ? withoutEnd(rest) : rest
    result.push({ node: shown, format })
    endsWithSpace = /[ \u00a0]$/.test(rest)
  }
  return result
}

/** Runs as elements: adjacent runs share those that they have in common. */
const nested = (runs: readonly Run[], depth: number): readonly MarkupNode[] => {
  const found: MarkupNode[] = []
  for (let index = 0; index < runs.length;) {
    const run = runs[index]
    const outer = run?.format[depth]
    let end = index + 1
    if (outer !== undefined) while (runs[end]?.format[depth] === outer) end += 1
    if (run === undefined) break
    if (outer === undefined) found.push(run.node)
    else found.push({ ...outer, children: nested(runs.slice(index, end), depth + 1) })
    index = end
  }
  return found
}

/** The same run for the same element; elements without attributes are the same if they are adjacent and have one name. */
const withSharedElements = (runs: readonly Run[]): readonly Run[] => {
  let before: Format = []
  return runs.map(({ node, format }) => {
    const shared: Inline[] = []
    for (const [depth, inline] of format.entries()) {
      const other = before[depth]
      const isSame =
        shared.length === depth &&
        other !== undefined &&
        other.name === inline.name &&
        shared.every((each, index) => each === before[index]) &&
        String(other.attributes) === String(inline.attributes)
      shared.push(isSame ? other : inline)
    }
    before = shared
    return { node, format: shared }
  })
}

/** The inline content of a block, with at most this many elements within each other; in `pre`, white space is as it is. */
export const inlineOf = (
  runs: readonly Run[],
  mostElements: number,
  isPreformatted = false,
): readonly MarkupNode[] =>
  nested(
    withSharedElements(
      (isPreformatted ? runs : trimmed(runs)).map(({ node, format }) => ({
        node,
        format: format.slice(0, Math.max(0, mostElements)),
      })),
    ),
    0,
  )
