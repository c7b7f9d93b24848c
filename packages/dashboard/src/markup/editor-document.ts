/**
 * Markup as a document of the editor and back. A document keeps everything that markup has: elements without a
 * counterpart in the toolbar, attributes, comments and the nesting of inline elements. White space that HTML does not
 * show is normalized.
 */
import type { Json } from '@publishing-service/domain/json'
import { isElement, type Attributes, type MarkupElement, type MarkupNode } from './element-tree.js'
import type { ElementKinds } from './element-kinds.js'

/** A mark of inline content: an inline element. Elements have different keys, so that adjacent ones are not merged. */
export type EditorMark = {
  readonly type: string
  readonly attrs?: { readonly attributes: Attributes; readonly key: number | null }
}

/** A node as ProseMirror stores it. */
export type EditorNode = {
  readonly type: string
  readonly attrs?: Readonly<Record<string, Json>>
  readonly content?: readonly EditorNode[]
  readonly marks?: readonly EditorMark[]
  readonly text?: string
}

/** The node of a whole document. */
const top = 'doc'
/** Inline content that is in no paragraph, such as the text of a list item. */
export const bareBlock = 'bare'
export const emptyInline = 'inline_element'
export const inlineComment = 'inline_comment'
export const blockComment = 'block_comment'

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

/** White space as browsers show it: one space for a sequence, none at the start and the end of a block. */
const collapsed = (nodes: readonly EditorNode[]): readonly EditorNode[] => {
  const result: EditorNode[] = []
  let endsWithSpace = true
  for (const node of nodes) {
    if (node.text === undefined) {
      result.push(node)
      endsWithSpace = node.attrs?.['name'] === 'br'
      continue
    }
    const text = node.text.replace(/[ \t\r\n]+/g, ' ')
    const rest = endsWithSpace && text.startsWith(' ') ? text.slice(1) : text
    if (rest === '') continue
    result.push({ ...node, text: rest })
    endsWithSpace = rest.endsWith(' ')
  }
  const last = result.at(-1)
  if (last?.text?.endsWith(' ') === true) {
    result.pop()
    const trimmed = last.text.slice(0, -1)
    if (trimmed !== '') result.push({ ...last, text: trimmed })
  }
  return result
}

/** The elements with text that needs no paragraph. */
const tight = new Set(['li', 'td', 'th', 'dd', 'figcaption'])

/** Markup as the content of a document. `kinds` are those of the markup's schema. */
export const documentFrom = (nodes: readonly MarkupNode[], kinds: ElementKinds): EditorNode => {
  let lastKey = 0

  const inline = (
    children: readonly MarkupNode[],
    marks: readonly EditorMark[],
    found: EditorNode[],
  ): void => {
    const marked = marks.length === 0 ? {} : { marks }
    for (const child of children)
      if (typeof child === 'string') {
        if (child !== '') found.push({ type: 'text', text: child, ...marked })
      } else if (!isElement(child))
        found.push({ type: inlineComment, attrs: { comment: child.comment }, ...marked })
      else if (child.children.every((each) => typeof each === 'string' && isBlank(each)))
        found.push({
          type: emptyInline,
          attrs: { name: child.name, attributes: child.attributes, text: child.children.join('') },
          ...marked,
        })
      else {
        lastKey += 1
        const mark = { type: child.name, attrs: { attributes: child.attributes, key: lastKey } }
        inline(child.children, [...marks, mark], found)
      }
  }

  const inlineOf = (children: readonly MarkupNode[], isPreformatted: boolean): readonly EditorNode[] => {
    const found: EditorNode[] = []
    inline(children, [], found)
    return isPreformatted ? found : collapsed(found)
  }

  /** Blocks of an element, with runs of inline content between them as bare blocks. */
  const blocks = (children: readonly MarkupNode[], parent: string): readonly EditorNode[] => {
    const found: EditorNode[] = []
    let run: MarkupNode[] = []
    const endRun = (): void => {
      const isEmpty = run.every((each) => typeof each === 'string' && isBlank(each))
      const isComments = run.every((each) => (typeof each === 'string' ? isBlank(each) : !isElement(each)))
      if (isEmpty) run = []
      else if (isComments) {
        for (const each of run)
          if (typeof each === 'object' && !isElement(each))
            found.push({ type: blockComment, attrs: { comment: each.comment } })
      } else found.push({ type: bareBlock, attrs: { parsedIn: parent }, content: inlineOf(run, false) })
      run = []
    }
    for (const child of children)
      if (isElement(child) && kinds.of(child.name) !== 'inline') {
        endRun()
        found.push(block(child))
      } else run.push(child)
    endRun()
    // Text can be typed into an empty item or cell.
    return found.length === 0 && tight.has(parent) ? [{ type: bareBlock }] : found
  }

  const block = (element: MarkupElement): EditorNode => {
    const { name, attributes, children } = element
    const own = children.filter((each) => typeof each !== 'string' || !isBlank(each))
    const [only] = own
    // A slot may be the only child of a paragraph.
    if (name === 'p' && own.length === 1 && isElement(only) && only.name === 'slot')
      return { type: 'slot', attrs: { attributes: only.attributes, paragraph: attributes } }
    if (name === 'slot') return { type: 'slot', attrs: { attributes, paragraph: null } }
    const attrs = { attributes }
    switch (kinds.contentOf(name)) {
      case 'empty':
        return { type: name, attrs }
      case 'inline': {
        const content = inlineOf(children, name === 'pre')
        return name === 'p' && content.length === 0
          ? { type: name, attrs: { attributes, isParsed: true }, content }
          : { type: name, attrs, content }
      }
      case 'blocks':
        return { type: name, attrs, content: blocks(children, name) }
    }
  }

  return { type: top, content: blocks(nodes, top) }
}

const attributesOf = (value: Json | undefined): Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Attributes) : {}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const isSameMark = (one: EditorMark, other: EditorMark): boolean =>
  one.type === other.type &&
  (one.attrs?.key ?? null) === (other.attrs?.key ?? null) &&
  JSON.stringify(one.attrs?.attributes ?? {}) === JSON.stringify(other.attrs?.attributes ?? {})

/** The index after the last node of the sequence that has the mark. */
const endOf = (mark: EditorMark, nodes: readonly EditorNode[], from: number): number => {
  let end = from
  while (nodes[end]?.marks?.some((each) => isSameMark(each, mark)) === true) end += 1
  return end
}

/** Inline nodes as elements: of the marks that start at a node, the one that extends furthest is the outermost. */
const inlineMarkup = (nodes: readonly EditorNode[], opened: readonly EditorMark[]): readonly MarkupNode[] => {
  const found: MarkupNode[] = []
  for (let index = 0; index < nodes.length;) {
    const node = nodes[index]
    if (node === undefined) break
    const next = (node.marks ?? [])
      .filter((mark) => !opened.some((each) => isSameMark(each, mark)))
      .map((mark, rank) => ({ mark, rank, end: endOf(mark, nodes, index) }))
      .toSorted(
        (one, other) =>
          other.end - one.end ||
          (one.mark.attrs?.key ?? Infinity) - (other.mark.attrs?.key ?? Infinity) ||
          one.rank - other.rank,
      )[0]
    if (next === undefined) {
      if (node.text !== undefined) found.push(node.text)
      else if (node.type === inlineComment) found.push({ comment: String(node.attrs?.['comment'] ?? '') })
      else
        found.push({
          name: String(node.attrs?.['name'] ?? 'br'),
          attributes: attributesOf(node.attrs?.['attributes']),
          children: textOf(node.attrs?.['text']) === '' ? [] : [textOf(node.attrs?.['text'])],
        })
      index += 1
    } else {
      const { mark, end } = next
      found.push({
        name: mark.type,
        attributes: mark.attrs?.attributes ?? {},
        children: inlineMarkup(nodes.slice(index, end), [...opened, mark]),
      })
      index = end
    }
  }
  return found
}

/** An empty paragraph that was made in the editor, such as by Enter at the end of a list. It is not saved. */
const isEmptyParagraph = ({ type, attrs, content = [] }: EditorNode): boolean =>
  (type === 'p' || type === bareBlock) &&
  content.length === 0 &&
  attrs?.['isParsed'] !== true &&
  Object.keys(attributesOf(attrs?.['attributes'])).length === 0

const blockMarkup = (node: EditorNode, parent: string): readonly MarkupNode[] => {
  if (isEmptyParagraph(node)) return []
  const { type, attrs, content = [] } = node
  const attributes = attributesOf(attrs?.['attributes'])
  switch (type) {
    case blockComment:
      return [{ comment: String(attrs?.['comment'] ?? '') }]
    case bareBlock: {
      const children = inlineMarkup(content, [])
      // Elsewhere than where the markup had it, such as after its list was undone, it is a paragraph.
      return attrs?.['parsedIn'] === parent || tight.has(parent)
        ? children
        : [{ name: 'p', attributes: {}, children }]
    }
    case 'slot': {
      const slot = { name: 'slot', attributes, children: [] }
      const paragraph = attrs?.['paragraph'] ?? null
      return [
        paragraph === null ? slot : { name: 'p', attributes: attributesOf(paragraph), children: [slot] },
      ]
    }
    default:
      return [{ name: type, attributes, children: childrenOf(node) }]
  }
}

const isInline = ({ type }: EditorNode): boolean =>
  type === 'text' || type === emptyInline || type === inlineComment

const childrenOf = ({ type, content = [] }: EditorNode): readonly MarkupNode[] =>
  content.some(isInline) ? inlineMarkup(content, []) : content.flatMap((each) => blockMarkup(each, type))

/** The markup of a document: one line for each block at the top. Empty paragraphs remain if the markup had them. */
export const markupNodesOf = (document: EditorNode): readonly MarkupNode[] => {
  const blocks = (document.content ?? []).map((each) => blockMarkup(each, top))
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => [...(index === 0 ? [] : ['\n']), ...block])
}
