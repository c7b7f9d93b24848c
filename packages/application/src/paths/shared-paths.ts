/** Objects that have the path of another: an earlier release stored them, or a restored backup has. */
import { E, pathKinds, placeOf, type JsonObject, type PathKind } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { documentsIn } from '../instance-store.js'
import { orThrow } from '../or-throw.js'
import { pagesOf, partitionOf } from '../storage-copy/partitions.js'
import { kindBelow, occupantsAt } from './taken-names.js'

/** An object with a public path. */
export type PathOwner = { readonly instance: number; readonly kind: PathKind; readonly id: string }

type Stored = PathOwner & { readonly value: JsonObject }

/** All objects of an instance that have a public path. Throws a PortFailure. */
export async function* pathOwners(documents: DocumentStore, instance: number): AsyncIterable<Stored> {
  for (const kind of pathKinds)
    for await (const page of pagesOf(documents, partitionOf(instance, kind.resource.collection)))
      for (const { id, value } of page.documents) yield { instance, kind, id, value }
}

/**
 * The object that keeps the path of another, because it was first; null if that is the object itself
 * (docs/behaviour/paths.md#one-path-one-object). Needs up to three queries. Throws a PortFailure.
 */
export const keeperOfPath = async (
  store: DocumentStore,
  { instance, kind: { resource }, id, value }: Stored,
): Promise<PathOwner | null> => {
  const documents = documentsIn(store, instance)
  const place = placeOf(resource, value)
  if (place === null) return null
  const found = await orThrow(async () => {
    const shared = await kindBelow(documents, place)
    return E.isLeft(shared) ? shared : occupantsAt(documents, place, [place.name], shared.right)
  })
  const [first] = found
  return first === undefined || (first.id === id && first.kind.resource.collection === resource.collection)
    ? null
    : { instance, kind: first.kind, id: first.id }
}
