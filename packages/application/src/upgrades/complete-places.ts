/** Objects that an earlier release stored without the documents of their places. */
import type { Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  kindsBelowPrefixes,
  kindsInSections,
  placeKey,
  placeOf,
  type PathKind,
} from '@publishing-service/domain/paths'
import type { Document, DocumentStore } from '@publishing-service/ports'
import type { Instances } from '../access/instances.js'
import type { StoredInstance } from '../access/stored-instance.js'
import { attempt, fail } from '../attempt.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { documentsOf, liveInstances, pagesOf, partitionOf } from '../storage-copy/partitions.js'
import { recordPlace } from '../paths/places.js'
import type { ObjectAddress } from '../session.js'

/** An object with a public path. */
export type PathOwner = ObjectAddress & { readonly instance: number; readonly value: JsonObject }

/** Those that keep a path which several objects have from an earlier release come first. */
const kindsByPriority: readonly PathKind[] = [...kindsBelowPrefixes, ...kindsInSections]

/** The collections of the objects that have a public path. */
export const ownerCollections = kindsByPriority.map(({ resource }) => resource.collection)

/** Whether an earlier release has stored objects without the documents of their places. */
export const lacksPlaces = ({ places }: StoredInstance): boolean => places !== true

/** All objects of an instance that have a public path. Throws a PortFailure. */
export async function* pathOwners(documents: DocumentStore, instance: number): AsyncIterable<PathOwner> {
  for (const { resource } of kindsByPriority)
    for await (const { id, value } of documentsOf(documents, partitionOf(instance, resource.collection)))
      yield { instance, resource, id, value }
}

/** The objects without those whose place an earlier one has. */
const firstAtEachPlace = (resource: Resource, objects: readonly Document[]): readonly Document[] => {
  const firsts = new Map<string, Document>()
  for (const object of objects) {
    const place = placeOf(resource, object.value)
    if (place !== null && !firsts.has(placeKey(place))) firsts.set(placeKey(place), object)
  }
  return [...firsts.values()]
}

/** Records the places of all objects of an instance. Throws a PortFailure. `onPage` receives the numbers of objects that are done. */
export const recordPlacesIn = async (
  { documents, clock, checksum }: Pick<Ports, 'documents' | 'clock' | 'checksum'>,
  number: number,
  onPage: (objects: number) => void,
): Promise<void> => {
  const at = { documents: documentsIn(documents, number), clock, checksum }
  for (const { resource } of kindsByPriority)
    for await (const objects of pagesOf(documents, partitionOf(number, resource.collection))) {
      const firsts = firstAtEachPlace(resource, objects)
      // Concurrently, so that stores commit many at once.
      await Promise.all(firsts.map(({ id, value }) => recordPlace(at, { resource, id }, value)))
      onPage(objects.length)
    }
}

/**
 * Records the places of all objects, for instances of an earlier release. Called before the first write, because an
 * object whose place is not recorded does not keep others from its path. Returns the number of objects; an interrupted
 * run starts again. Throws a PortFailure. `onProgress` receives the number of objects so far.
 */
export const createCompletePlaces =
  (
    ports: Pick<Ports, 'documents' | 'clock' | 'checksum'>,
    { recordPlaces }: Pick<Instances, 'recordPlaces'>,
  ) =>
  async (onProgress: (done: number) => void = () => undefined): Promise<number> => {
    let done = 0
    for await (const stored of liveInstances(ports.documents)) {
      if (!lacksPlaces(stored)) continue
      const { number } = stored
      await recordPlacesIn(ports, number, (objects) => onProgress((done += objects)))
      const recorded = await attempt(() => recordPlaces(String(number)))
      if (E.isLeft(recorded) && recorded.left._tag !== 'NotFound') fail(recorded.left)
    }
    return done
  }
