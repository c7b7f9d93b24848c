/** The folded form of texts, which search, orders by title and urlnames share. */
import anyAscii from 'any-ascii'
import { unread } from './unread.js'

const unreadCharacters = new RegExp(`[${unread}]+`, 'gu')
const unreadOrMarks = new RegExp(`[${unread}\\p{M}]+`, 'gu')

const beyondAscii = /\P{ASCII}/u

const latinBeyondAscii = /[^\P{Script=Latin}\p{ASCII}]/gu

/**
 * A text without letter case, accents, ligatures and compatibility differences, and without characters that nobody
 * reads. Latin letters without a decomposition are those that urlnames have for them: «Straße» is «strasse».
 */
export const foldLetters = (text: string): string => {
  const plain = text.normalize('NFKD').replace(unreadOrMarks, '').toLowerCase()
  return beyondAscii.test(plain)
    ? plain
        .replace(latinBeyondAscii, (letter) => anyAscii(letter).toLowerCase() || letter)
        .replaceAll('ς', 'σ')
    : plain
}

/**
 * The sort key of a text, so that «Éclair» is next to «eclair». Truncated to 200 characters to keep index entries small.
 */
export const fold = (text: string): string => foldLetters(text.slice(0, 400)).slice(0, 200).toWellFormed()

// Texts as names in public paths.

/** Less than the maximum length of a urlname, so that a number can be appended. */
const maxLength = 240

const apostrophesWithin = /(?<=[\p{L}\p{N}\p{M}])['`´’‘‛′＇\u02b9-\u02bf\ua78b\ua78c](?=[\p{L}\p{N}])/gu

/** A text without apostrophes within words, and without what nobody reads: «can’t» is «cant». */
const readable = (text: string): string => text.replace(unreadCharacters, '').replace(apostrophesWithin, '')

/** A text as a name in public paths: ASCII letters and digits in lower case, other characters as one hyphen. */
export const slugOf = (text: string): string =>
  anyAscii(readable(text))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(/-$/, '')

/**
 * A text as a urlname: characters that a urlname can have stay, letters and digits of others are written in ASCII, and the
 * rest becomes one hyphen, or nothing at the start and the end. The result is empty if no character stays.
 */
export const urlnameOf = (text: string): string => {
  const ascii = readable(text).replace(/\P{ASCII}/gu, (character) =>
    anyAscii(character).replaceAll(/[^A-Za-z0-9]+/g, ' '),
  )
  return ascii
    .replaceAll(/^[^A-Za-z0-9_.~-]+|[^A-Za-z0-9_.~-]+$/g, '')
    .replaceAll(/-*[^A-Za-z0-9_.~-]+-*/g, '-')
}
