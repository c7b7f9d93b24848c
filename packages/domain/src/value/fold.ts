/** The folded form of texts, which search, orders by title and urlnames share. */
import anyAscii from 'any-ascii'

/** Incremented when the folded form of any text changes: search indexes and sort keys are then made again. */
export const foldingVersion = 2

/** What nobody reads: soft hyphens, joiners, bidi controls and the like, and characters that only lengthen words. */
const unread = '\\p{Default_Ignorable_Code_Point}\\u0640\\u07fa\\u1806'
const unreadCharacters = new RegExp(`[${unread}]+`, 'gu')
const unreadOrMarks = new RegExp(`[${unread}\\p{M}]+`, 'gu')

const beyondAscii = /\P{ASCII}/u

const latinBeyondAscii = /[^\P{Script=Latin}\p{ASCII}]/gu

/** A text without characters that nobody reads. */
export const withoutUnread = (text: string): string => text.replace(unreadCharacters, '')

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
