/** Pasted inline content: runs of text, each with the elements around it. */
import { isElement, type MarkupElement, type MarkupNode } from './element-tree.js'

/** The declarations of a `style` attribute, by property, in lower case. */
export const declarationsOf = ({ attributes }: MarkupElement): ReadonlyMap<string, string> =>
  new Map(
    (attributes['style'] ?? '').split(';').flatMap((each) => {
      const [property = '', ...value] = each.split(':')
      const name = property.trim().toLowerCase()
      return name === '' ? [] : [[name, value.join(':').trim().toLowerCase()] as const]
    }),
  )

/** The elements around a run, by name; a link has its address. */
export type Format = ReadonlyMap<string, string>

export type Run = { readonly node: MarkupNode; readonly format: Format }

/** How the editor names elements that look the same. */
const names: Readonly<Record<string, string>> = { b: 'strong', i: 'em', strike: 's', tt: 'code' }

/** Inline elements that say something about their text. The others are only carriers of styles. */
const meaningful = new Set(
  'strong em s u sub sup code mark q cite abbr kbd samp var dfn small del ins'.split(' '),
)

const isBold = (weight: string): boolean => /^(?:bold|bolder|[6-9]00)$/.test(weight)

const linkAddress = /^(?:https?:|mailto:|tel:|\/)/i

/** The format within an element. What its style says wins over what its name says: Google Docs has a `b` that is not bold. */
export const formatWithin = (element: MarkupElement, around: Format): Format => {
  const format = new Map(around)
  const style = declarationsOf(element)
  const has = (name: string, condition: boolean | undefined): void => {
    if (condition === true) format.set(name, '')
    if (condition === false) format.delete(name)
  }
  const name = names[element.name] ?? element.name
  const decoration = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`
  const isUndecorated = (name === 'u' || name === 's') && /\bnone\b/.test(decoration)
  if (meaningful.has(name) && !isUndecorated) format.set(name, '')
  const href = element.attributes['href']?.trim() ?? ''
  if (name === 'a' && linkAddress.test(href)) format.set('a', href)
  const weight = style.get('font-weight')
  if (weight !== undefined && weight !== 'inherit') has('strong', isBold(weight))
  const slant = style.get('font-style')
  if (slant !== undefined && slant !== 'inherit') has('em', /^(?:italic|oblique)/.test(slant))
  if (decoration.includes('line-through')) format.set('s', '')
  if (decoration.includes('underline')) format.set('u', '')
  const position = style.get('vertical-align')
  if (position === 'super') format.set('sup', '')
  if (position === 'sub') format.set('sub', '')
  // Links are underlined in any case.
  if (format.has('a')) format.delete('u')
  return format
}

const isBreak = (node: MarkupNode): boolean => isElement(node) && node.name === 'br'

/** Whether a run has only white space, also of the kind that is not collapsed. */
export const isBlankRun = ({ node }: Run): boolean =>
  typeof node === 'string' ? /^[\s\u00a0]*$/.test(node) : isBreak(node)

/** Sequences of spaces, and of spaces that are not collapsed, as one space. */
const singleSpaces = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ').replace(/[ \u00a0]{2,}/g, ' ')

/** The runs without white space at the start, at the end, and after white space. */
const trimmed = (runs: readonly Run[]): readonly Run[] => {
  const first = runs.findIndex((run) => !isBlankRun(run))
  const last = runs.findLastIndex((run) => !isBlankRun(run))
  if (first === -1) return []
  const result: Run[] = []
  let endsWithSpace = true
  for (const { node, format } of runs.slice(first, last + 1)) {
    if (typeof node !== 'string') {
      result.push({ node, format })
      endsWithSpace = isBreak(node)
      continue
    }
    const text = singleSpaces(node)
    const rest = endsWithSpace ? text.replace(/^[ \u00a0]+/, '') : text
    if (rest === '') continue
    result.push({ node: rest, format })
    endsWithSpace = /[ \u00a0]$/.test(rest)
  }
  const end = result.at(-1)
  if (end !== undefined && typeof end.node === 'string')
    result[result.length - 1] = { ...end, node: end.node.replace(/[ \u00a0]+$/, '') }
  return result
}

/** Runs as elements: adjacent runs share those that they have in common. */
const nested = (runs: readonly Run[], order: readonly string[]): readonly MarkupNode[] => {
  const [name, ...inner] = order
  if (name === undefined) return runs.map(({ node }) => node)
  const found: MarkupNode[] = []
  for (let index = 0; index < runs.length;) {
    const value = runs[index]?.format.get(name)
    const length = runs.slice(index).findIndex(({ format }) => format.get(name) !== value)
    const group = length === -1 ? runs.slice(index) : runs.slice(index, index + length)
    const children = nested(group, inner)
    if (value === undefined) found.push(...children)
    else found.push({ name, attributes: name === 'a' ? { href: value } : {}, children })
    index += group.length
  }
  return found
}

const order = ['a', ...meaningful]

/** The inline content of a block; in `pre`, white space is as it is. */
export const inlineOf = (runs: readonly Run[], isPreformatted = false): readonly MarkupNode[] =>
  nested(isPreformatted ? runs : trimmed(runs), order)
