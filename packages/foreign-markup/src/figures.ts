/** Figures: what becomes of their media, and of their captions. */
import { top, type ContentConverter, type Context } from './context.js'
import { isMedium } from './found-media.js'
import { around, childElements, isElement, type HtmlElement, type HtmlNode } from './html-tree.js'
import { element, isParagraph, isShown, writtenMarkup, type MarkupNode } from './markup-tree.js'

const captionIn = (figure: HtmlElement): HtmlElement | null =>
  childElements(figure).find(({ name }) => name === 'figcaption') ?? null

/** The media in a figure, each with the caption of the innermost figure around it, and the figures in it. */
const captionsOf = (
  { children }: HtmlElement,
  caption: HtmlElement | null,
): {
  readonly captions: ReadonlyMap<HtmlElement, HtmlElement | null>
  readonly figures: readonly HtmlElement[]
} => {
  const captions = new Map<HtmlElement, HtmlElement | null>()
  const figures: HtmlElement[] = []
  const walk = (nodes: readonly HtmlNode[], own: HtmlElement | null): void => {
    for (const each of nodes) {
      if (!isElement(each) || each.name === 'figcaption') continue
      const isFigure = each.name === 'figure'
      if (isFigure) figures.push(each)
      if (isMedium(each)) captions.set(each, own)
      else walk(each.children, isFigure ? captionIn(each) : own)
    }
  }
  walk(children, caption)
  return { captions, figures }
}

const isPicture = (node: MarkupNode): boolean =>
  typeof node === 'object' &&
  ('medium' in node || (node.name === 'a' && node.children.length > 0 && node.children.every(isPicture)))

/** The blocks of a figure: pictures need no paragraph. */
const withBarePictures = (found: readonly MarkupNode[]): readonly MarkupNode[] =>
  found.flatMap((each): readonly MarkupNode[] =>
    isParagraph(each) && each.children.every(isPicture) ? each.children : [each],
  )

/** The figures of a source. */
export class Figures {
  /** Those whose media are decided with those of the figure around them. */
  readonly #inner = new Set<HtmlElement>()
  readonly #linesByCaption = new Map<HtmlElement, readonly MarkupNode[]>()

  constructor(private readonly converter: ContentConverter) {}

  /** Decides what becomes of the media of a figure. Returns whether they are in a slot, so that there is no figure. */
  placeMedia(figure: HtmlElement): boolean {
    const { media } = this.converter
    if (this.#inner.has(figure)) return false
    const { captions: found, figures } = captionsOf(figure, captionIn(figure))
    for (const each of figures) this.#inner.add(each)
    const captions = [...found].filter(([each]) => !media.leftOut.has(each))
    const textOf = (caption: HtmlElement | null): string => writtenMarkup(this.#linesOf(caption)).markup
    const group = captions.flatMap(([each, own]) => media.read(each, textOf(own))?.medium ?? [])
    if (group.length === 0) return false
    const placement = media.place(group)
    for (const [each, own] of captions) media.decided.set(each, { placement, caption: textOf(own) })
    if (typeof placement !== 'object') return false
    media.placeInSlot(group, placement.slot)
    for (const [each, own] of captions) {
      media.leftOut.add(each)
      if (placement.hasCaption && own !== null) media.leftOut.add(own)
    }
    return true
  }

  /** A figure with its caption, or their content if one of them shows nothing. */
  nodesOf(figure: HtmlElement, within: Context): readonly MarkupNode[] {
    const { blocksOf, elements, media } = this.converter
    const caption = captionIn(figure)
    const [before = [], after = []] = around(figure, caption).map((each) =>
      withBarePictures(blocksOf(each, within)),
    )
    const content = [...before, ...after]
    const lines = caption !== null && media.leftOut.has(caption) ? [] : this.#linesOf(caption)
    const isFigure = lines.some(isShown) || content.some((each) => isShown(each) && isPicture(each))
    if (!isFigure || !content.some(isShown)) {
      const line = lines.some(isShown) ? [element('p', [], lines)] : lines
      return [...before, ...line, ...after]
    }
    const line = caption === null ? [] : elements.wrapped(caption, 'figcaption', lines)
    return elements.wrapped(figure, 'figure', [...before, ...line, ...after])
  }

  #linesOf(caption: HtmlElement | null): readonly MarkupNode[] {
    if (caption === null) return []
    const lines =
      this.#linesByCaption.get(caption) ?? this.converter.linesOf(caption.children, { ...top, depth: 2 })
    this.#linesByCaption.set(caption, lines)
    return lines
  }
}
