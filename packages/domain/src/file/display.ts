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
export type Display = { readonly disposition: 'inline' | 'attachment'; readonly sandbox: boolean }

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
