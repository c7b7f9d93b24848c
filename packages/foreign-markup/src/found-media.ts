import type { StreamingHost } from '@publishing-service/domain/declare'
import { elementsWithin, textOf, type HtmlElement } from './html-tree.js'
import type { Format, Run } from './inline-runs.js'
import { element, type MarkupNode } from './markup-tree.js'
import { mediumKind, readMedium, type Medium, type Placement, type ReadMedium } from './media.js'
import type { SourceElements } from './source-elements.js'

export type MediaOptions = {
  readonly base: string | null
  readonly hosts: readonly StreamingHost[]
  readonly placeMedia: (media: readonly Medium[]) => Placement
}

export const isMedium = (source: HtmlElement): boolean => mediumKind(source) !== null

/** What becomes of a medium of a figure. */
type Decided = { readonly placement: Placement; readonly caption: string }

/** The media of a source, and where they are placed. */
export class FoundMedia {
  /** In the order of the source. */
  readonly all: Medium[] = []
  /** What becomes of the media of figures; those with a slot have it already. */
  readonly decided = new Map<HtmlElement, Decided>()
  /** Captions that are in `all` only, and media that others contain. */
  readonly leftOut = new Set<HtmlElement>()
  readonly #addresses = new Set<string>()
  /** Slots that follow the current block at the top. */
  #waiting: MarkupNode[] = []

  constructor(
    private readonly options: MediaOptions,
    private readonly elements: SourceElements,
  ) {}

  /** The slots that wait for the end of a block at the top. */
  takeWaiting(): readonly MarkupNode[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  read(source: HtmlElement, caption: string): ReadMedium | null {
    return readMedium(source, caption, this.options)
  }

  place(group: readonly Medium[]): Placement {
    return this.options.placeMedia(group)
  }

  placeInSlot(group: readonly Medium[], slot: string): void {
    for (const each of group) this.#waiting.push({ medium: this.#add(each), element: null })
    this.#waiting.push(element('slot', [['id', slot]], []))
  }

  /** Whether an element has only pictures that are there already, for browsers without scripts. */
  isRepeated(node: HtmlElement): boolean {
    const pictures = elementsWithin(node.children, isMedium)
    return (
      pictures.length > 0 &&
      textOf(node).trim() === '' &&
      pictures.every((each) => {
        const address = this.read(each, '')?.medium.address
        return address !== undefined && this.#addresses.has(address)
      })
    )
  }

  /** A medium as a run: a picture as an element, or the place of another. */
  runsOf(source: HtmlElement, format: Format): readonly Run[] {
    if (this.leftOut.has(source)) return []
    const known = this.decided.get(source)
    const read = this.read(source, known?.caption ?? '')
    if (read === null) {
      this.elements.noteUnwrapped(source)
      return []
    }
    const { medium, link } = read
    const placement = known?.placement ?? this.place([medium])
    if (typeof placement === 'object') {
      this.placeInSlot([medium], placement.slot)
      return []
    }
    if (placement === 'element' && medium.kind === 'picture' && link !== null) {
      const attributes = new Map([...source.attributes].filter(([key]) => key !== 'src'))
      const own = this.elements.attributesOf({ ...source, attributes }, 'img')
      return [
        { node: { medium: this.#add(medium), element: element('img', [['src', link], ...own], []) }, format },
      ]
    }
    this.elements.note('medium', source.place, `${medium.kind} ${medium.address.slice(0, 200)}`)
    return [{ node: { medium: this.#add(medium), element: null }, format }]
  }

  #add(medium: Medium): number {
    this.#addresses.add(medium.address)
    return this.all.push(medium) - 1
  }
}
