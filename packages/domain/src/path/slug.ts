/** Texts as names in public paths. */
import anyAscii from 'any-ascii'
import { withoutUnread } from '../value/fold.js'

/** Less than the maximum length of a urlname, so that a number can be appended. */
const maxLength = 240

const apostrophesWithin = /(?<=[\p{L}\p{N}\p{M}])['`´’‘‛′＇\u02b9-\u02bf\ua78b\ua78c](?=[\p{L}\p{N}])/gu

/** A text without apostrophes within words, and without what nobody reads: «can’t» is «cant». */
const readable = (text: string): string => withoutUnread(text).replace(apostrophesWithin, '')

/** A text as a name in public paths: ASCII letters and digits in lower case, other characters as one hyphen. */
export const slugOf = (text: string): string =>
  anyAscii(readable(text))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(/-$/, '')
