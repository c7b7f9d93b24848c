import mime from 'mime'
import type { Problem } from '../fault.js'
import { E, type Either } from '../fp.js'
import {
  canonicalMimetypes,
  maxCharset,
  mimetypeGroup,
  mimetypePattern,
  unknownMimetype,
} from './mimetype.js'

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
): Either<Problem<'UnsupportedMediaType'>, DataType> => {
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
