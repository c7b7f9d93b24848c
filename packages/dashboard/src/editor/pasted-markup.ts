/** Markup that was copied elsewhere, such as from Google Docs or Word, as the editor reads it. Large: it is loaded apart. */
import { bodySchema } from '@publishing-service/domain/markup'
import { toBody, type Medium, type Placement } from '@publishing-service/foreign-markup'
import { elementKinds, elementModels } from '../markup/element-kinds.js'
import { isElement, type MarkupNode } from '../markup/element-tree.js'

/** A picture whose data are in the pasted markup. */
export type EmbeddedPicture = { readonly mimetype: string; readonly base64: string; readonly title: string }

/** What could not be pasted. */
export type Missing = {
  readonly pictures: number
  /** Embedded pages, videos, sounds. */
  readonly others: number
}

export type Pasted = { readonly nodes: readonly MarkupNode[]; readonly missing: Missing }

/** How the editor names elements that look the same, and its headings. */
const rename = { b: 'strong', i: 'em', h1: 'h2', h5: 'h4', h6: 'h4' }

/** The types of pictures that every browser shows. */
const pictureData = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/
/** Addresses of pictures that only their own page, or the computer of the author, can load. */
const readable = /^https?:\/\/(?!(?:[^/]*\.)?googleusercontent\.com\/|docs\.google\.com\/)/i

const kinds = elementKinds(elementModels(bodySchema))

/** The nodes with what the editor needs to read them: text among blocks in a separate element, and places of slots. */
const forEditor = (nodes: readonly MarkupNode[]): readonly MarkupNode[] =>
  nodes.map((node) => {
    if (!isElement(node)) return node
    const { name, attributes } = node
    if (name === 'slot')
      return { name: 'div', attributes: { 'data-slot': attributes['id'] ?? '' }, children: [] }
    const children = forEditor(node.children)
    return { ...node, children: kinds.contentOf(name) === 'blocks' ? withBareText(children) : children }
  })

const isBlock = (node: MarkupNode): boolean => isElement(node) && kinds.of(node.name) !== 'inline'

const withBareText = (nodes: readonly MarkupNode[]): readonly MarkupNode[] => {
  const found: MarkupNode[] = []
  let run: MarkupNode[] = []
  const endRun = (): void => {
    if (run.length > 0) found.push({ name: 'div', attributes: { 'data-markup-bare': '' }, children: run })
    run = []
  }
  for (const node of nodes)
    if (isBlock(node)) {
      endRun()
      found.push(node)
    } else run.push(node)
  endRun()
  return found
}

const block = /<(?:p|h[1-6]|pre|ul|ol|li|dl|blockquote|table|hr|details|figure)[\s>/]/i

/**
 * The elements of pasted markup. `slotFor` makes a slot for pictures whose data are in the markup, and returns its id, or
 * null if there is no place for pictures; they are then missing. `parse` reads the markup of a body.
 */
export const pastedMarkup = (
  html: string,
  slotFor: (pictures: readonly EmbeddedPicture[]) => string | null,
  parse: (markup: string) => readonly MarkupNode[] | null,
): Pasted => {
  const missing = { pictures: 0, others: 0 }
  const placeMedia = (media: readonly Medium[]): Placement => {
    const pictures = media.filter(({ kind }) => kind === 'picture')
    missing.others += media.length - pictures.length
    if (pictures.length > 0 && pictures.every(({ address }) => readable.test(address))) return 'element'
    const embedded = pictures.flatMap(({ address, alt }) => {
      const [, mimetype, base64] = pictureData.exec(address) ?? []
      return mimetype === undefined || base64 === undefined ? [] : [{ mimetype, base64, title: alt }]
    })
    const slot = embedded.length === 0 ? null : slotFor(embedded)
    missing.pictures += pictures.length - (slot === null ? 0 : embedded.length)
    return slot === null ? 'nothing' : { slot, hasCaption: false }
  }
  const { markup } = toBody(html, { placeMedia, rename, isCopied: true })
  const nodes = forEditor(parse(markup) ?? []).filter((node) => typeof node !== 'string')
  const [only] = nodes
  // A few words become part of the paragraph in which they are pasted.
  const isInline = nodes.length === 1 && isElement(only) && only.name === 'p' && !block.test(html)
  return { nodes: isInline ? only.children : nodes, missing }
}
