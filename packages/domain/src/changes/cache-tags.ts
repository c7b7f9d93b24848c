/**
 * The tags of responses without a token, by which a CDN purges them, and those that a change purges
 * (docs/behaviour/caching.md#cache-tags).
 */

import { resourceOf } from '../resource/resources.js'

/** All responses of an instance. */
const instanceTag = (instance: number): string => `publication-${instance}`

/** The responses that any object of a collection is part of, or could be. */
const collectionTag = (instance: number, collection: string): string =>
  `publication-${instance}-${collection}`

/** More objects of one collection are named by its tag, so that the header stays short. */
const mostObjects = 50

/** What a response was computed from, by collection: some documents by id, or those that a query returned. */
export type ObjectsRead = ReadonlyMap<string, ReadonlySet<string> | 'queried'>

/**
 * The tags of a response. No change purges by documents that belong to no object, such as places among the public paths, whose
 * ids are texts in any script.
 */
export const responseTags = (instance: number, read: ObjectsRead): readonly string[] => [
  instanceTag(instance),
  ...[...read].flatMap(([collection, objects]) => {
    if (resourceOf(collection) === undefined) return []
    return objects === 'queried' || objects.size > mostObjects
      ? [collectionTag(instance, collection)]
      : [...objects]
  }),
]

/** The collections whose objects are part of all pages of a website. */
const shownEverywhere: ReadonlySet<string> = new Set(['sections', 'settings'])

/** The tags of the responses that a change of an object makes outdated; `object` is null for the settings. */
export const purgedTags = (instance: number, collection: string, object: string | null): readonly string[] =>
  object === null || shownEverywhere.has(collection)
    ? [instanceTag(instance)]
    : [collectionTag(instance, collection), object]
