/**
 * Media types whose data a browser shows or plays without ever running anything of it. SVG is an image that holds
 * scripts, so it is none of them.
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

/** What a browser is to do with data: `sandbox` means that nothing of it runs in the service's origin. */
export type Display = { readonly disposition: 'inline' | 'attachment'; readonly sandbox: boolean }

/**
 * How a browser is to treat data of a MIME type, in lower case and without parameters. Passive media are displayed. PDF
 * holds scripts that viewers run apart from the page; it is displayed in a sandbox, which Chromium and Firefox do.
 * Everything else is saved and would run in a sandbox: what browsers do with other types, unknown ones among them,
 * differs and changes.
 */
export const displayOf = (mimetype: string): Display => {
  const [group = '', subtype = ''] = mimetype.split('/')
  if (passiveMedia.get(group)?.includes(subtype)) return { disposition: 'inline', sandbox: false }
  return { disposition: mimetype === 'application/pdf' ? 'inline' : 'attachment', sandbox: true }
}
