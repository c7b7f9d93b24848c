/** Markup that is made, and its text. */

export type Attribute = readonly [name: string, value: string]

export type MarkupElement = {
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly children: readonly MarkupNode[]
}

export const element = (
  name: string,
  attributes: readonly Attribute[],
  children: readonly MarkupNode[],
): MarkupElement => ({ name, attributes, children })

/** Where a medium is, with its element; or where it would be. */
export type MediumPlace = { readonly medium: number; readonly element: MarkupElement | null }

export type MarkupNode = MarkupElement | MediumPlace | string

export const isMarkupElement = (node: MarkupNode | undefined): node is MarkupElement =>
  typeof node === 'object' && 'name' in node

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapedText = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => escaped[each] ?? each)

export type WrittenMarkup = {
  readonly markup: string
  /** Where each medium is: an index in the markup. */
  readonly places: ReadonlyMap<number, number>
}

/** XML-compliant HTML. `between` is before each element at the top but the first. */
export const writtenMarkup = (nodes: readonly MarkupNode[], between = ''): WrittenMarkup => {
  const places = new Map<number, number>()
  let markup = ''
  const write = (node: MarkupNode): void => {
    if (typeof node === 'string') markup += escapedText(node)
    else if (isMarkupElement(node)) {
      const { name, attributes, children } = node
      const own = attributes.map(([key, value]) => ` ${key}="${escapedText(value)}"`).join('')
      if (children.length === 0 && isVoid(name)) markup += `<${name}${own}/>`
      else {
        markup += `<${name}${own}>`
        for (const child of children) write(child)
        markup += `</${name}>`
      }
    } else {
      places.set(node.medium, markup.length)
      if (node.element !== null) write(node.element)
    }
  }
  for (const node of nodes) {
    if (markup !== '' && isMarkupElement(node)) markup += between
    write(node)
  }
  return { markup, places }
}

const voidElements = new Set(['br', 'hr', 'img', 'wbr', 'slot'])

const isVoid = (name: string): boolean => voidElements.has(name)

/** Whether readers see something of it. */
export const isShown = (node: MarkupNode): boolean =>
  typeof node === 'string' || isMarkupElement(node) || node.element !== null

/** Whether it is a paragraph that says nothing else. */
export const isParagraph = (node: MarkupNode | undefined): node is MarkupElement =>
  isMarkupElement(node) && node.name === 'p' && node.attributes.length === 0
