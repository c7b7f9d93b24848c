/** The grammar of a `BlobKey`, and of the paths that blobs can be removed and listed at. */

const longest = 200
const segment = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9_.-]+'
const keyPattern = new RegExp(`^${segment}(?:/${segment}){1,5}$`)
const pathPattern = new RegExp(`^${segment}(?:/${segment}){0,5}$`)

const matches = (pattern: RegExp, text: string): boolean => text.length <= longest && pattern.test(text)

export const isBlobKey = (text: string): boolean => matches(keyPattern, text)

/** Throws where the text isn't a `BlobKey`: a defect of the caller. */
export const checkBlobKey = (key: string): void => {
  if (!isBlobKey(key)) throw new TypeError(`not a key of a blob: ${JSON.stringify(key)}`)
}

/** Throws where the text isn't a path of one to six segments: a defect of the caller. */
export const checkBlobPath = (path: string): void => {
  if (!matches(pathPattern, path)) throw new TypeError(`not a path of blobs: ${JSON.stringify(path)}`)
}
