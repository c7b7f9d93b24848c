/** Drafts as they are stored: one document for each object that has one (docs/decisions/0088-a-draft-is-changes-of-an-object.md). */
import type { Resource } from '@publishing-service/domain'
import { E, t } from '@publishing-service/domain/fp'
import { jsonObject, type JsonObject } from '@publishing-service/domain/json'
import {
  draftShapeOf,
  draftsCollection,
  draftState,
  missedAt,
  mostMissedListed,
  publicationOf,
  remainingDraft,
  storedTest,
  type ObjectDraft,
} from '@publishing-service/domain/engine'
import { subjectsWithDrafts } from '@publishing-service/domain/roles'
import {
  putDocument,
  removeDocument,
  unreadable,
  type Change,
  type Clock,
  type Document,
} from '@publishing-service/ports'
import { decodeStored } from '../decode-stored.js'
import { UnreadableDocument, type InstanceStore, type WriteConflict } from '../instance-store.js'

const { name: collection } = draftsCollection

/** What is read of a draft without its changes. */
const LightDraft = t.readonly(
  t.type({
    [draftsCollection.of]: t.readonlyArray(t.string),
    [draftsCollection.object]: t.string,
    /** The position of the object: another object with its UUID has not its draft. */
    position: t.number,
    own: jsonObject,
  }),
  collection,
)

export const StoredDraft = t.intersection(
  [LightDraft, t.readonly(t.type({ changes: jsonObject, base: jsonObject }))],
  collection,
)

/** The object that a stored draft is of, with its position. */
export const objectOfDraft = (value: JsonObject): DraftAddress & { readonly position: number } => {
  const stored = decodeStored(LightDraft, { id: '', value })
  const { [draftsCollection.of]: of, [draftsCollection.object]: id, position } = stored
  return { collection: of[0] ?? '', id, position }
}

const idOf = (resource: Resource, id: string): string => `${resource.collection}/${id}`

/** The most drafts that are published in one run: each costs a write. */
const dueAtOnce = 500

/** The object of a draft. */
type DraftAddress = { readonly collection: string; readonly id: string }

type DraftDocuments = Pick<InstanceStore, 'get' | 'change' | 'remove' | 'instance'>

/** The document of the draft of an object, and the draft; that is null if it is one of a former object. */
export const findDraft = async (
  documents: Pick<DraftDocuments, 'get' | 'instance'>,
  resource: Resource,
  { id, position }: Pick<Document, 'id' | 'position'>,
): Promise<{ readonly version: number; readonly draft: ObjectDraft | null } | null> => {
  const document = await documents.get(collection, idOf(resource, id))
  if (document === null) return null
  if (document.value === unreadable) throw new UnreadableDocument(collection, documents.instance, document.id)
  const { version } = document
  const stored = decodeStored(StoredDraft, document, documents.instance)
  const { changes, base, own } = stored
  return { version, draft: stored.position === position ? { changes, base, own } : null }
}

/** The objects whose drafts are to be published by now, a text that sorts by time: some of them. */
export const objectsWithDueDrafts = async (
  documents: Pick<InstanceStore, 'find' | 'instance'>,
  now: string,
): Promise<readonly DraftAddress[]> => {
  const where = [{ key: draftsCollection.due, above: '', atMost: now }]
  const order = [{ key: draftsCollection.due, direction: 'asc' }] as const
  const found = await documents.find(collection, { where, order, skip: 0, limit: dueAtOnce, detail: 'full' })
  return found.documents.flatMap((document) => {
    const stored = decodeStored(StoredDraft, document, documents.instance)
    const id = stored[draftsCollection.object]
    return stored[draftsCollection.of].map((of) => ({ collection: of, id }))
  })
}

/** The document of a draft, without a version and a position. */
const documentOf = (
  resource: Resource,
  { id, position }: Pick<Document, 'id' | 'position'>,
  draft: ObjectDraft,
) => {
  const { changes, base, own } = draft
  const value: JsonObject = {
    [draftsCollection.of]: [resource.collection],
    [draftsCollection.object]: id,
    [draftsCollection.due]: publicationOf(draft)?.at ?? null,
    [draftsCollection.missed]: missedAt(draft),
    position,
    changes,
    base,
    own,
  }
  return { id: idOf(resource, id), unique: null, value }
}

/** Drafts that were not published at their time, the last first: some of them, each with the position of its object. */
export const missedDrafts = async (
  documents: Pick<InstanceStore, 'find' | 'instance'>,
): Promise<readonly (Pick<ObjectDraft, 'own'> & DraftAddress & { readonly position: number })[]> => {
  const where = [{ key: draftsCollection.missed, above: '' }]
  const order = [{ key: draftsCollection.missed, direction: 'desc' }] as const
  const query = { where, order, skip: 0, limit: mostMissedListed, detail: 'light' } as const
  const found = await documents.find(collection, query)
  return found.documents.flatMap((document) => {
    const { own, position, ...stored } = decodeStored(LightDraft, document, documents.instance)
    const id = stored[draftsCollection.object]
    return stored[draftsCollection.of].map((of) => ({ collection: of, id, own, position }))
  })
}

/** Stores a draft in place of the one that was found, or where there is none. */
export const storeDraft = (
  documents: Pick<DraftDocuments, 'change'>,
  resource: Resource,
  object: Pick<Document, 'id' | 'position'>,
  draft: ObjectDraft,
  found: Pick<Document, 'version'> | null,
  clock: Pick<Clock, 'position'>,
): Promise<E.Either<WriteConflict, unknown>> => {
  const document = documentOf(resource, object, draft)
  return documents.change([
    putDocument(collection, document, found, clock),
    { collection: resource.collection, kind: 'expect', id: object.id, version: null },
  ])
}

/** Ends a draft of a version with a write. */
export const draftEnd = (resource: Resource, id: string, version: number): Change =>
  removeDocument(collection, { id: idOf(resource, id), version })

/** Removes a draft, with a record. */
export const dropDraft = (
  documents: Pick<DraftDocuments, 'change'>,
  resource: Resource,
  id: string,
  version: number,
): Promise<E.Either<WriteConflict, unknown>> => documents.change([draftEnd(resource, id, version)])

/** What remains of a draft after this one was published, with the write that publishes it. */
export const draftRemains = (
  resource: Resource,
  object: Pick<Document, 'id' | 'position'>,
  { draft, version }: { readonly draft: ObjectDraft; readonly version: number },
  published: ObjectDraft,
): Change => {
  const remaining = remainingDraft(draft, published)
  return {
    collection,
    kind: 'replace',
    document: { ...documentOf(resource, object, remaining), version },
  }
}

/** Removes the draft of an object, if it has one, with the write that removes the object. */
export const draftRemoval = async (
  { documents }: { readonly documents: Pick<DraftDocuments, 'get'> },
  { resource, id }: { readonly resource: Resource; readonly id: string },
): Promise<readonly Change[]> => {
  if (!subjectsWithDrafts.has(resource.collection)) return []
  const found = await documents.get(collection, idOf(resource, id))
  return found === null ? [] : [draftEnd(resource, id, found.version)]
}

const tests = new WeakMap<Resource, (state: JsonObject) => boolean>()

/** The state of an object with its draft; an earlier release may have stored values of other types. */
export const stateWithDraft = (
  documents: Pick<DraftDocuments, 'instance'>,
  resource: Resource,
  { id, value }: Pick<Document, 'id' | 'value'>,
  draft: ObjectDraft,
): JsonObject => {
  const shape = draftShapeOf(resource)
  let test = tests.get(shape)
  if (test === undefined) tests.set(shape, (test = storedTest(shape.attributes)))
  const state = draftState(resource, value, draft)
  if (!test(state)) throw new UnreadableDocument(collection, documents.instance, idOf(resource, id))
  return state
}
