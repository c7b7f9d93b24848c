/**
 * The object names of keys in a bucket: the key and a `~`, which no key contains. Otherwise the name of a blob could be
 * the path of other blobs, and MinIO doesn't list what is below an object.
 */
import { isBlobKey } from '@publishing-service/ports'

export const objectOf = (key: string): string => `${key}~`

/** The key of an object's name; null for an object that is no blob. */
export const keyOf = (object: string): string | null => {
  const key = object.slice(0, -1)
  return object === objectOf(key) && isBlobKey(key) ? key : null
}

/** The object at a path; null where a path is too short for a key. */
export const objectAt = (path: string): string | null => (isBlobKey(path) ? objectOf(path) : null)
