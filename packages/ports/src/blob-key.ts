/** The syntax of a `BlobKey`, and of the paths for removing and listing blobs. */

const length = '(?=.{1,200}$)'
const segment = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9_.-]+'
const keyPattern = new RegExp(`^${length}${segment}(?:/${segment}){1,5}$`)
const pathPattern = new RegExp(`^${length}${segment}(?:/${segment}){0,5}$`)

export const isBlobKey = (text: string): boolean => keyPattern.test(text)

/** Throws if the text is not a `BlobKey`: a defect of the caller. */
export const checkBlobKey = (key: string): void => {
  if (!keyPattern.test(key)) throw new TypeError(`not a key of a blob: ${JSON.stringify(key)}`)
}

/** Throws if the text is not a path of one to six segments: a defect of the caller. */
export const checkBlobPath = (path: string): void => {
  if (!pathPattern.test(path)) throw new TypeError(`not a path of blobs: ${JSON.stringify(path)}`)
}
