export type Attributes = Readonly<Record<string, string>>

/** An element of markup, or a comment. Texts are decoded. */
export type MarkupElement = {
  readonly name: string
  readonly attributes: Attributes
  readonly children: readonly MarkupNode[]
}

export type MarkupComment = { readonly comment: string }

export type MarkupNode = MarkupElement | MarkupComment | string

export const isElement = (node: MarkupNode | undefined): node is MarkupElement =>
  typeof node === 'object' && 'name' in node

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeText = (text: string): string => text.replace(/[&<>]/g, (each) => escaped[each] ?? each)
const escapeValue = (text: string): string => text.replace(/[&<>"]/g, (each) => escaped[each] ?? each)

const tagOf = ({ name, attributes }: MarkupElement): string =>
  [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeValue(value)}"`)].join(' ')

/** XML-compliant HTML. */
export const markupOf = (nodes: readonly MarkupNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return escapeText(node)
      if (!isElement(node)) return `<!--${node.comment}-->`
      const inner = markupOf(node.children)
      return inner === '' && isVoid(node.name)
        ? `<${tagOf(node)}/>`
        : `<${tagOf(node)}>${inner}</${node.name}>`
    })
    .join('')

const voidElements = new Set(['br', 'hr', 'img', 'wbr', 'slot'])

export const isVoid = (name: string): boolean => voidElements.has(name)

/** The first element whose name is not among these; null if there is none. */
export const unknownElement = (nodes: readonly MarkupNode[], names: ReadonlySet<string>): string | null => {
  for (const node of nodes) {
    if (!isElement(node)) continue
    const found = names.has(node.name) ? unknownElement(node.children, names) : node.name
    if (found !== null) return found
  }
  return null
}
