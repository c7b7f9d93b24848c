/** Reads an export of WordPress (docs/import.md#wordpress). */
import { defaultStreamingHosts, type StreamingHost } from '@publishing-service/domain/declare'
import {
  fileNote,
  importRecord,
  type ImportNote,
  type ImportRecord,
  type ImportSource,
} from '@publishing-service/domain/imports'
import { addressParts } from '../address-parts.js'
import { plainLine } from '../plain-text.js'
import { commentRecords, takenComments } from './comment-records.js'
import { contentRecord, type ContentContext } from './content-records.js'
import { fileId, fileRecord } from './file-records.js'
import type { PathRedirect } from './paths-before.js'
import { placesOf, type Places } from './places.js'
import { queryRecord, ruleRecord } from './redirect-records.js'
import { sectionRecord } from './section-records.js'
import { indexSite, isDeleted, isTaken, type IndexedItem, type SiteIndex } from './site-index.js'
import { tagsOf, type Tags } from './tag-records.js'
import { itemOf, type WxrItem } from './wxr.js'
import { readElements } from './xml-elements.js'

export type WordpressOptions = {
  /** Further types of posts that become articles, such as `portfolio`. */
  readonly types?: readonly string[]
  /** The hosts of videos and sounds that are known; by default those of the domain. */
  readonly streamingHosts?: readonly StreamingHost[]
}

const leftOut = (source: string, title: string, note: ImportNote): ImportRecord =>
  importRecord({ origin: { source, title, line: note.line }, notes: [note] })

/** What was repaired in the text of the file. */
const repairRecords = ({ repairs, title }: SiteIndex): readonly ImportRecord[] => {
  const { removedCharacters, unknownReferences } = repairs
  const notes = [
    ...(removedCharacters === 0
      ? []
      : [
          fileNote(
            'character',
            `${removedCharacters} control characters, which XML does not have, are left out`,
          ),
        ]),
    ...(unknownReferences === 0
      ? []
      : [
          fileNote(
            'character',
            `${unknownReferences} names of characters that XML does not have are read as HTML`,
          ),
        ]),
  ]
  return notes.length === 0 ? [] : [importRecord({ origin: { source: 'file', title, line: null }, notes })]
}

const kindNames: Readonly<Record<string, string>> = {
  nav_menu_item: 'entries of menus',
  revision: 'earlier versions of posts',
  wp_block: 'blocks that several posts show, other than in these posts',
  wp_navigation: 'menus',
  wp_template: 'templates of a theme',
  wp_template_part: 'templates of a theme',
  wp_global_styles: 'styles of a theme',
  custom_css: 'styles of a theme',
  customize_changeset: 'settings of a theme',
  attachment: 'attachments without data, or in the trash',
  'guest-author': 'profiles of authors, other than their names and descriptions',
}

/** What is not taken over, by its type. */
const otherRecords = ({ others }: SiteIndex): readonly ImportRecord[] =>
  Array.from(others, ([type, count]) =>
    leftOut(
      type,
      type,
      fileNote('type', `${count} × ${kindNames[type] ?? `the type ${type}`}: not taken over`),
    ),
  )

const hasQueryRedirect = ({ isPublished, link }: IndexedItem): boolean => {
  const parts = addressParts(link)
  return isPublished && parts !== null && parts.query !== '' && parts.path !== '/'
}

class WordpressReader {
  readonly total: number
  readonly #index: SiteIndex
  readonly #open: () => AsyncIterable<string>
  readonly #types: readonly string[]
  readonly #places: Places
  readonly #tags: Tags
  readonly #context: ContentContext

  constructor(index: SiteIndex, open: () => AsyncIterable<string>, options: Required<WordpressOptions>) {
    this.#index = index
    this.#open = open
    this.#types = options.types
    this.#places = placesOf(index)
    this.#tags = tagsOf(index, this.#places)
    this.#context = { index, tags: this.#tags, streamingHosts: options.streamingHosts }
    const { items, notTaken, comments, attachments, redirects, others } = index
    this.total =
      repairRecords(index).length +
      this.#tags.records.length +
      this.#places.sections.length +
      items.size +
      notTaken +
      comments +
      attachments.all.length +
      redirects.length +
      [...items.values()].filter(hasQueryRedirect).length +
      others.size
  }

  async *records(): AsyncGenerator<ImportRecord, void> {
    const { site, attachments, redirects } = this.#index
    const written = new Set<string>()
    const seen = new Set<string>()
    const ofQueries: PathRedirect[] = []
    yield* repairRecords(this.#index)
    yield* this.#tags.records
    yield* this.#places.sections.map(sectionRecord)
    for await (const item of this.#contentItems()) {
      const place = this.#places.items.get(item.id)
      const reason = isDeleted(item, this.#types)
        ? 'in the trash'
        : 'the file has another one with this id before it'
      if (place === undefined || reason === 'in the trash' || seen.has(item.id)) {
        const note = fileNote('state', `${reason}: not taken over`, item.line)
        yield leftOut(`${item.type} ${item.id}`, plainLine(item.title), note)
        continue
      }
      seen.add(item.id)
      const comments = takenComments(item)
      const { record, files, redirect } = contentRecord(item, place, comments, this.#context)
      for (const { attachment, alt } of files) {
        const id = fileId(site, attachment)
        if (written.has(id)) continue
        written.add(id)
        yield fileRecord(site, attachment, alt)
      }
      yield record
      yield* commentRecords(site, place.id, comments)
      if (redirect !== null) ofQueries.push(redirect)
    }
    for (const each of attachments.all) if (!written.has(fileId(site, each))) yield fileRecord(site, each, '')
    for (const [position, rule] of redirects.entries()) yield ruleRecord(rule, position + 1, this.#index)
    for (const [position, each] of ofQueries.entries())
      yield queryRecord(each, redirects.length + position + 1, this.#index)
    yield* otherRecords(this.#index)
  }

  /** The items that become content, and those in the trash, with their texts. */
  async *#contentItems(): AsyncGenerator<WxrItem, void> {
    const repairs = { removedCharacters: 0, unknownReferences: 0 }
    for await (const element of readElements(this.#open(), repairs)) {
      if (element.name !== 'item') continue
      const item = itemOf(element)
      if (isTaken(item, this.#types) || isDeleted(item, this.#types)) yield item
    }
  }
}

/**
 * Reads an export of WordPress. `open` returns its text in pieces; it is called for each reading. Throws `UnreadableSource` for
 * a file that is no such export, or is cut off.
 */
export const readWordpress = async (
  open: () => AsyncIterable<string>,
  { types = [], streamingHosts = defaultStreamingHosts }: WordpressOptions = {},
): Promise<ImportSource> => {
  const reader = new WordpressReader(await indexSite(open(), types), open, { types, streamingHosts })
  return { total: reader.total, records: () => reader.records() }
}
