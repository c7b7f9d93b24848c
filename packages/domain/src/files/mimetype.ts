/** `type/subtype` in lower case, without parameters. */
export const mimetypePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** The MIME type of an upload if header and file name say none (docs/behaviour/files.md#mime-type). */
export const unknownMimetype = 'unknown/unknown'

/** Maximum length of a charset name. */
export const maxCharset = 40

/** The canonical names of MIME types in lower case that have several. */
export const canonicalMimetypes: ReadonlyMap<string, string> = new Map([['image/jpg', 'image/jpeg']])

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
