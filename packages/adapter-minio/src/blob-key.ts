/**
 * The port's grammar of keys and paths, and the names that keys have in a bucket: with a `~` behind, which no key
 * holds. Else a blob could be named as the path of others is, and MinIO doesn't list what lies below an object.
 */

const longest = 200
const segment = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9_.-]+'
const keyPattern = new RegExp(`^${segment}(?:/${segment}){1,5}$`)
const pathPattern = new RegExp(`^${segment}(?:/${segment}){0,5}$`)

const isKey = (text: string): boolean => text.length <= longest && keyPattern.test(text)

const defect = (text: string): never => {
  throw new TypeError(`not a key or path of blobs: ${JSON.stringify(text)}`)
}

/** Throws where the caller has no key. */
export const checkKey = (key: string): void => {
  if (!isKey(key)) defect(key)
}

/** Throws where the caller has no path. */
export const checkPath = (path: string): void => {
  if (path.length > longest || !pathPattern.test(path)) defect(path)
}

export const objectOf = (key: string): string => `${key}~`

/** The key of an object's name; null for an object that is no blob. */
export const keyOf = (object: string): string | null => {
  const key = object.slice(0, -1)
  return object === objectOf(key) && isKey(key) ? key : null
}

/** The object at a path; null where a path is too short for a key. */
export const objectAt = (path: string): string | null => (isKey(path) ? objectOf(path) : null)
