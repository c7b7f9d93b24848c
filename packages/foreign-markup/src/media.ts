import { isHostedBy, type StreamingHost } from '@publishing-service/domain/declare'
import { readAddress } from './addresses.js'
import { isElement, type HtmlElement, type HtmlNode, type Place } from './html-tree.js'

/** A picture, sound, video, or a page in a frame. */
export type Medium = Place & {
  readonly kind: 'picture' | 'audio' | 'video' | 'frame'
  /** The absolute address, the path, or a `data:` address; that of a frame as it is written. */
  readonly address: string
  /** The addresses of other versions of a sound or a video. */
  readonly versions: readonly string[]
  readonly alt: string
  /** Markup without slots; empty if there is none. */
  readonly caption: string
  /** In pixels, if the source says it. */
  readonly width: number | null
  readonly height: number | null
  /** The name of the streaming host of a frame; null for others. */
  readonly host: string | null
}

/**
 * What becomes of media that belong together, such as those of one figure. `element`: pictures are `img` in the markup, and
 * of others nothing is. `nothing`: nothing of them is in the markup. With `slot`, a new UUID: a slot follows the block at the
 * top that they are in. If it `hasCaption`, the caller writes the captions in `media` to it; else they remain as text.
 */
export type Placement = 'element' | 'nothing' | { readonly slot: string; readonly hasCaption: boolean }

const kinds: ReadonlyMap<string, Medium['kind']> = new Map([
  ['img', 'picture'],
  ['svg:image', 'picture'],
  ['audio', 'audio'],
  ['bgsound', 'audio'],
  ['video', 'video'],
  ['iframe', 'frame'],
  ['frame', 'frame'],
  ['object', 'frame'],
  ['embed', 'frame'],
])

export const mediumKind = ({ name }: HtmlElement): Medium['kind'] | null => kinds.get(name) ?? null

const candidateOf = (srcset: string): string => srcset.trim().split(/,?\s+/)[0] ?? ''

/** The written addresses of a medium, the best first. Pages that load pictures late have their addresses in other attributes. */
const addressesOf = ({ name, attributes, children }: HtmlElement): readonly string[] => {
  const own = ['data-src', 'data-lazy-src', 'data-original', 'src', 'data', 'href', 'xlink:href'].flatMap(
    (each) => attributes.get(each) ?? [],
  )
  const sources = children.flatMap((each: HtmlNode) =>
    isElement(each) && (each.name === 'source' || each.name === 'param')
      ? (each.attributes.get('src') ??
        (/^(?:movie|src)$/.test(each.attributes.get('name') ?? '')
          ? (each.attributes.get('value') ?? [])
          : []))
      : [],
  )
  const other =
    name === 'img' ? [attributes.get('srcset') ?? attributes.get('data-srcset') ?? ''].map(candidateOf) : []
  return [...own, ...sources, ...other].filter((each) => each.trim() !== '')
}

const sizeOf = (value: string | undefined): number | null => {
  const [digits] = /^\s*\d{1,6}(?=\s*(?:px)?\s*$)/.exec(value ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}

export type ReadMedium = { readonly medium: Medium; readonly link: string | null }

/** The medium of an element, and the address with which a body can link to it. */
export const readMedium = (
  element: HtmlElement,
  caption: string,
  { base, hosts }: { readonly base: string | null; readonly hosts: readonly StreamingHost[] },
): ReadMedium | null => {
  const kind = mediumKind(element)
  const { attributes, place } = element
  if (kind === null) return null
  const [written, ...others] = addressesOf(element)
  if (written === undefined) return null
  const link = readAddress(written, base)
  const address = link ?? written.trim()
  const host = kind === 'frame' ? hosts.find((each) => isHostedBy(each, address)) : undefined
  return {
    medium: {
      ...place,
      kind,
      address,
      versions: kind === 'picture' ? [] : others.flatMap((each) => readAddress(each, base) ?? []),
      alt: (attributes.get('alt') ?? '').trim(),
      caption,
      width: sizeOf(attributes.get('width')),
      height: sizeOf(attributes.get('height')),
      host: host?.name ?? null,
    },
    link,
  }
}
