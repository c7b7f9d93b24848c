/** The syntax of a `BlobKey`, and of the paths for removing and listing blobs. */

const maxLength = 200
const segment = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9_.-]+'
const keyPattern = new RegExp(`^${segment}(?:/${segment}){1,5}$`)
const pathPattern = new RegExp(`^${segment}(?:/${segment}){0,5}$`)

const matches = (pattern: RegExp, text: string): boolean => text.length <= maxLength && pattern.test(text)

export const isBlobKey = (text: string): boolean => matches(keyPattern, text)

/** Throws if the text is not a `BlobKey`: a defect of the caller. */
export const checkBlobKey = (key: string): void => {
  if (!isBlobKey(key)) throw new TypeError(`not a key of a blob: ${JSON.stringify(key)}`)
}

/** Throws if the text is not a path of one to six segments: a defect of the caller. */
export const checkBlobPath = (path: string): void => {
  if (!matches(pathPattern, path)) throw new TypeError(`not a path of blobs: ${JSON.stringify(path)}`)
}
