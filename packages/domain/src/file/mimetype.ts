import mime from 'mime'
import type { Problem } from '../fault.js'
import { E, type Either } from '../fp.js'

/** `type/subtype` in lower case, without parameters. */
export const mimetypePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** The MIME type of an upload if header and file name say none (docs/behaviour/files.md#mime-type). */
export const unknownMimetype = 'unknown/unknown'

/** Maximum length of a charset name. */
export const maxCharset = 40

/** The canonical names of MIME types in lower case that have several. */
export const canonicalMimetypes: ReadonlyMap<string, string> = new Map([['image/jpg', 'image/jpeg']])

const charset =
  /;\s*charset\s*=\s*(?:"([a-z0-9][a-z0-9!#$%&'*+.^_`|~:-]*)"|([a-z0-9][a-z0-9!#$%&'*+.^_`|~:-]*))\s*(?:;|$)/i

const otherUtf8 = /^(?:utf[_-]?8|unicode-1-1-utf-8|(?:x-)?unicode(?:11|20)utf8)$/

/** The name of a charset in lower case; `utf-8` for the other names of UTF-8, such as `utf8`. */
export const canonicalCharset = (name: string): string => {
  const lower = name.toLowerCase()
  return otherUtf8.test(lower) ? 'utf-8' : lower
}

/** What a Content-Type header says about the data of a file. */
export type DataType = {
  readonly mimetype: string
  /** The charset of a text, by its canonical name; null if none is declared. */
  readonly charset: string | null
}

const mimetypeIn = (header: string): string => header.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** The MIME type of the extension of a name; empty if it has none that is known. Only names in folders need a dot. */
const mimetypeOfName = (filename: string): string => mime.getType(`/${filename}`) ?? ''

/**
 * The type of data with this Content-Type header (docs/behaviour/files.md#mime-type), or without one, of this file name. On the
 * left why no file can have it: a wildcard is no type, and a multipart body contains the file among other things.
 */
export const dataTypeFrom = (
  contentType: string | undefined,
  filename: string,
): Either<Problem, DataType> => {
  const header = contentType?.trim() ?? ''
  const declared = header === '' ? mimetypeOfName(filename) : mimetypeIn(header)
  const bytes = 'the bytes of the file alone, declared with its type such as image/png'
  if (declared.startsWith('multipart/'))
    return E.left({ _tag: 'UnsupportedMediaType', expected: `${bytes}, instead of a multipart form` })
  if (declared.split('/').includes('*'))
    return E.left({ _tag: 'UnsupportedMediaType', expected: `${bytes}; ${declared} is no type` })
  const mimetype = mimetypePattern.test(declared)
    ? (canonicalMimetypes.get(declared) ?? declared)
    : unknownMimetype
  if (mimetypeGroup(mimetype) !== 'text') return E.right({ mimetype, charset: null })
  const [, quoted, token] = charset.exec(header) ?? []
  const name = canonicalCharset(quoted ?? token ?? '')
  return E.right({ mimetype, charset: name === '' || name.length > maxCharset ? null : name })
}

/** The first component of a MIME type. */
export const mimetypeGroup = (mimetype: string): string => mimetype.split('/', 1)[0] ?? mimetype

/** Upload limits in bytes by MIME type group; `other` applies to every other group (docs/behaviour/files.md#mime-type). */
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
  return Object.entries(limits).find(([name]) => name === group)?.[1] ?? limits.other
}

/**
 * MIME types that a browser displays or plays without running code. SVG is missing because it can contain scripts.
 */
const passiveMedia: ReadonlyMap<string, readonly string[]> = new Map([
  ['image', 'apng avif bmp gif heic heif jpeg jxl png tiff vnd.microsoft.icon webp x-icon'.split(' ')],
  [
    'audio',
    '3gpp aac aiff basic flac midi mp3 mp4 mpeg ogg opus vnd.wave vorbis wav webm x-aac x-aiff x-flac x-m4a x-wav'.split(
      ' ',
    ),
  ],
  [
    'video',
    '3gpp 3gpp2 mp2t mp4 mpeg ogg quicktime webm x-flv x-m4v x-matroska x-ms-wmv x-msvideo'.split(' '),
  ],
])

/** How a browser should treat data. `sandbox`: the data runs no code in the service's origin. */
type Display = { readonly disposition: 'inline' | 'attachment'; readonly sandbox: boolean }

/**
 * How a browser should treat data of a MIME type, in lower case and without parameters. Passive media are displayed. PDF
 * can contain scripts, so it is displayed in a sandbox, which Chromium and Firefox support. Everything else is saved as
 * an attachment and sandboxed, because browsers differ in how they treat other and unknown types.
 */
export const displayOf = (mimetype: string): Display => {
  const [group = '', subtype = ''] = mimetype.split('/')
  if (passiveMedia.get(group)?.includes(subtype)) return { disposition: 'inline', sandbox: false }
  return { disposition: mimetype === 'application/pdf' ? 'inline' : 'attachment', sandbox: true }
}

/** The JavaScript MIME types (https://mimesniff.spec.whatwg.org/#javascript-mime-type). */
const scriptTypes: ReadonlySet<string> = new Set([
  ...['ecmascript', 'javascript', 'x-ecmascript', 'x-javascript'].flatMap((name) => [
    `application/${name}`,
    `text/${name}`,
  ]),
  ...['jscript', 'livescript'].map((name) => `text/${name}`),
  ...['1.0', '1.1', '1.2', '1.3', '1.4', '1.5'].map((version) => `text/javascript${version}`),
])

/**
 * The type that data of a MIME type is downloaded with (docs/behaviour/files.md#download-headers). A script is bytes of
 * no known type: then no page of the service's origin can run it, because browsers may not guess types.
 */
export const downloadType = (mimetype: string): string =>
  scriptTypes.has(mimetype) ? 'application/octet-stream' : mimetype
