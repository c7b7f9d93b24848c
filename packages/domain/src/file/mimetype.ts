/** `type/subtype` in lower case, without parameters. */
export const mimetypePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** What an upload without a usable Content-Type is (decisions §10). */
export const unknownMimetype = 'unknown/unknown'

const synonyms: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg' }

/** The MIME type that a Content-Type header declares. */
export const mimetypeFrom = (contentType: string | undefined): string => {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!mimetypePattern.test(type)) return unknownMimetype
  return Object.hasOwn(synonyms, type) ? (synonyms[type] ?? type) : type
}

/** The first component of a MIME type. */
export const mimetypeGroup = (mimetype: string): string => mimetype.split('/', 1)[0] ?? mimetype

/** Upload limits in bytes by MIME type group; `other` is for every group that isn't named (decisions §10). */
export type UploadLimits = Readonly<Record<'image' | 'audio' | 'video' | 'application' | 'other', number>>

const mebibyte = 1024 * 1024

export const defaultUploadLimits: UploadLimits = {
  image: 20 * mebibyte,
  audio: 100 * mebibyte,
  video: 500 * mebibyte,
  application: 100 * mebibyte,
  other: 20 * mebibyte,
}

export const uploadLimit = (limits: UploadLimits, mimetype: string): number => {
  const group = mimetypeGroup(mimetype)
  return Object.hasOwn(limits, group) ? limits[group as keyof UploadLimits] : limits.other
}
