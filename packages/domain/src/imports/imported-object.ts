/** One object of another system in the form of this API, with everything that belongs to it (docs/import.md). */
import * as t from 'io-ts'
import type { Fault } from '../fault.js'
import { jsonObject } from '../json.js'

const text = t.string

/** The data of a file: a path in the folder of uploads, or a web address. */
const upload = t.readonly(
  t.type({
    address: text,
    /** MIME type; null if it follows from the data or the name. */
    type: t.union([text, t.null]),
  }),
)

const slot = t.readonly(
  t.type({
    /** The UUID of its tag in the body. */
    id: text,
    attributes: jsonObject,
    media: t.readonlyArray(jsonObject),
  }),
)

const tagging = t.readonly(
  t.type({
    /** The UUID of the tag. */
    tag: text,
    predicate: text,
    attributes: jsonObject,
  }),
)

/** An object with its parts. Objects that it refers to, other than with `related_links`, exist before it. */
export const ImportedObject = t.readonly(
  t.type({
    /** The name of the collection in the API, such as `content`. */
    collection: text,
    /** Its UUID. An import that is repeated has the same one. */
    id: text,
    /** The attributes of a PUT of the object. */
    attributes: jsonObject,
    upload: t.union([upload, t.null]),
    /** The slots that the body of content contains. */
    slots: t.readonlyArray(slot),
    tags: t.readonlyArray(tagging),
    /** UUIDs of the members of a tag category, or of the images of a location, in order. */
    members: t.readonlyArray(text),
    /** Lists of stories of a homepage, by name. */
    stories: t.readonly(t.record(text, jsonObject)),
    /** Earlier public paths, the newest first. */
    earlier_paths: t.readonlyArray(text),
    /** Related links. They are written when all objects exist. */
    related_links: t.readonlyArray(jsonObject),
    /** Attributes with references to objects that come later. They are written when all objects exist. */
    later: jsonObject,
  }),
)
export type ImportedObject = t.TypeOf<typeof ImportedObject>

/** An object without any parts. */
export const importedObject = (
  object: Pick<ImportedObject, 'collection' | 'id' | 'attributes'> & Partial<ImportedObject>,
): ImportedObject => ({
  upload: null,
  slots: [],
  tags: [],
  members: [],
  stories: {},
  earlier_paths: [],
  related_links: [],
  later: {},
  ...object,
})

/** What is different from the source, or worth a look. */
export type ImportNote = {
  /** A short name for statistics, such as `attribute` or `shortcode`. */
  readonly kind: string
  /** The line in the file, or the line in the body of the object where `in` is `body`; null if unknown. */
  readonly line: number | null
  readonly in: 'file' | 'body'
  /** In English. */
  readonly text: string
}

const noteIn =
  (place: ImportNote['in']) =>
  (kind: string, message: string, line: number | null = null): ImportNote => ({
    kind,
    line,
    in: place,
    text: message,
  })

/** A note about the object, with its line in the file. */
export const fileNote = noteIn('file')

/** A note about the body of the object, with the line there. */
export const bodyNote = noteIn('body')

/** Where a record comes from. */
export type ImportOrigin = {
  /** The kind of object in the source and its id there, such as `post 17`. */
  readonly source: string
  /** The title, for people. */
  readonly title: string
  /** The line in the file; null if the file has no lines. */
  readonly line: number | null
}

/** What a source contains: an object that is created, or something that is not taken over. */
export type ImportRecord = {
  readonly origin: ImportOrigin
  readonly notes: readonly ImportNote[]
  /** What is wrong with a record that cannot be read. */
  readonly faults: readonly Fault[]
  /** Null if it is not taken over; a note or a fault says why. */
  readonly object: ImportedObject | null
}

/** A record, without what is not given: notes, faults, an object. */
export const importRecord = (record: Pick<ImportRecord, 'origin'> & Partial<ImportRecord>): ImportRecord => ({
  notes: [],
  faults: [],
  object: null,
  ...record,
})

/** The content of another system. */
export type ImportSource = {
  /** Its records; objects come after those that they refer to. Can be read more than once, with the same result. */
  readonly records: () => AsyncIterable<ImportRecord>
  /** The number of records, for the progress. */
  readonly total: number
}
