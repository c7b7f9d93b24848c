/** A body of foreign HTML, with its media in slots. */
import { bodyNote, type ImportedObject, type ImportNote } from '@publishing-service/domain/imports'
import { slotLimits } from '@publishing-service/domain/content'
import { webAddress } from '@publishing-service/domain/declare'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { toBody, type BodyOptions, type Medium } from '@publishing-service/foreign-markup'
import { escaped } from './escaped.js'

/** A file of the import that a medium shows. */
export type MediumFile = { readonly id: string; readonly kind: 'image' | 'audio' }

type Slot = ImportedObject['slots'][number]

type BodySource = {
  readonly html: string
  readonly options: Omit<BodyOptions, 'placeMedia'>
  /** The file of a picture or a sound; null if the import has none. */
  readonly fileOf: (medium: Medium) => MediumFile | null
  /** The UUID of a slot by its number, from 0. */
  readonly slotId: (number: number) => string
}

export type ImportedBody = {
  readonly markup: string
  readonly slots: readonly Slot[]
  /** The UUIDs of the files in the slots. */
  readonly files: readonly string[]
  readonly notes: readonly ImportNote[]
}

const longestCaption = 100_000
const longestCode = 100_000

const isWebAddress = (address: string): boolean =>
  /^https?:/i.test(address) &&
  E.isRight(webAddress.decode(address, { zone: 'UTC', streamingHosts: [], strict: true }))

const codeOf = (element: string, attributes: Readonly<Record<string, string | number | null>>): string =>
  `<${element}${Object.entries(attributes)
    .map(([name, value]) => (value === null || value === '' ? '' : ` ${name}="${escaped(String(value))}"`))
    .join('')}>`

/** A medium as an item of a slot; null if no slot can have it. */
const itemOf = (medium: Medium, file: MediumFile | null): JsonObject | null => {
  const { kind, address, versions, width, height, alt, host } = medium
  if (file !== null)
    return { type: 'file', ...(file.kind === 'image' ? { image_uuid: file.id } : { file_uuid: file.id }) }
  if (!isWebAddress(address)) return null
  if (kind === 'audio' || kind === 'video')
    return {
      type: 'external',
      url_type: kind,
      urls: [...new Set([address, ...versions.filter(isWebAddress)])].slice(0, 50).map((url) => ({ url })),
    }
  if (host !== null) return { type: 'external', url_type: host, url: address }
  const code =
    kind === 'frame'
      ? `${codeOf('iframe', { src: address, width, height })}</iframe>`
      : codeOf('img', { src: address, alt, width, height })
  return code.length > longestCode ? null : { type: 'embed', embed_code: code }
}

const ofStyle = '(?:class|style|role|aria-[a-z]+|data-[a-z0-9-]*)'
const attributesOfStyle = new RegExp(`^${ofStyle}(?:, ${ofStyle})* of <`)
const groupOfStyle = new RegExp(
  `^<(?:div|span|section|figure|figcaption)>(?: with ${ofStyle}(?:, ${ofStyle})*)?, but not its text$`,
)

/** Changes of what only the style sheet of the source knows, and what editors have written for editors, are no notes. */
const isNoted = ({ kind, text }: { readonly kind: string; readonly text: string }): boolean =>
  kind !== 'comment' &&
  !(kind === 'attribute' && attributesOfStyle.test(text)) &&
  !(kind === 'element' && groupOfStyle.test(text))

/**
 * Makes a body. Pictures and sounds that are files of the import, and all other sounds, videos and frames, are in slots:
 * those of one figure in one slot. A picture that is no file of the import remains an element with its address.
 */
export const bodyOf = ({ html, options, fileOf, slotId }: BodySource): ImportedBody => {
  const slots: Slot[] = []
  const files = new Set<string>()
  /** Items for which there is no room in the slots of their place. */
  const surplus: JsonObject[] = []
  const notes: ImportNote[] = []

  const itemsOf = (media: readonly Medium[], hasCaption: boolean): readonly JsonObject[] => {
    let shownCaption = ''
    return media.flatMap((medium) => {
      const file = fileOf(medium)
      const item = itemOf(medium, file)
      if (item === null) return []
      if (file !== null) files.add(file.id)
      // Media that share a caption have it once.
      const caption = hasCaption && medium.caption !== shownCaption ? medium.caption : ''
      shownCaption = medium.caption
      return [caption === '' ? item : { ...item, content: caption }]
    })
  }

  const addSlot = (id: string, media: readonly JsonObject[]): void => {
    slots.push({ id, attributes: media.length > 1 ? { display: 'gallery' } : {}, media })
  }

  const body = toBody(html, {
    ...options,
    placeMedia: (media) => {
      const isElement = media.every((each) => each.kind === 'picture' && fileOf(each) === null)
      if (isElement) return 'element'
      const hasCaption = media.every(({ caption }) => caption.length <= longestCaption)
      const items = itemsOf(media, hasCaption)
      if (items.length === 0) return 'nothing'
      // The last slot is that of the surplus.
      if (slots.length >= slotLimits.slots - 1) {
        surplus.push(...items)
        return 'nothing'
      }
      const slot = slotId(slots.length)
      addSlot(slot, items.slice(0, slotLimits.media))
      surplus.push(...items.slice(slotLimits.media))
      return { slot, hasCaption }
    },
  })

  const counts = new Map<string, { readonly note: ImportNote; count: number }>()
  for (const { kind, line, text } of body.changes.filter(isNoted)) {
    const known = counts.get(`${kind} ${text}`)
    if (known === undefined) counts.set(`${kind} ${text}`, { note: bodyNote(kind, text, line), count: 1 })
    else known.count += 1
  }
  for (const { note, count } of counts.values())
    notes.push(count === 1 ? note : { ...note, text: `${note.text} (${count} times)` })
  if (surplus.length === 0) return { markup: body.markup, slots, files: [...files], notes }

  const last = slotId(slots.length)
  addSlot(last, surplus.slice(0, slotLimits.media))
  const lost = surplus.length - slotLimits.media
  notes.push(
    bodyNote(
      'medium',
      lost > 0
        ? `A body has at most ${slotLimits.slots} slots with ${slotLimits.media} media: ${lost} of its media are left out`
        : `A body has at most ${slotLimits.slots} slots: its last ${surplus.length} media are in one slot at the end`,
    ),
  )
  return { markup: `${body.markup}\n<slot id="${last}"/>`, slots, files: [...files], notes }
}
