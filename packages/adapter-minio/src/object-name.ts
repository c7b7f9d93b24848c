/**
 * Converts keys to object names and back. An object name is the key with a `~`, which no key contains. Without it, the
 * name of a blob could be the path of other blobs, and MinIO does not list objects below an object.
 */
import { isBlobKey } from '@publishing-service/ports'

export const objectOf = (key: string): string => `${key}~`

/** The key of an object name; null if the object is not a blob. */
export const keyOf = (object: string): string | null => {
  const key = object.slice(0, -1)
  return object === objectOf(key) && isBlobKey(key) ? key : null
}

/** The object name at a path; null if the path is too short for a key. */
export const objectAt = (path: string): string | null => (isBlobKey(path) ? objectOf(path) : null)
