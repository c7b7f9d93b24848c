/** The words of a text, folded, so that every store finds the same. */

/** A word, and where it is in the text. */
export type Word = { readonly word: string; readonly start: number; readonly end: number }

/** Characters of a folded word that count; the rest of a longer one is ignored. */
export const maxWordLength = 40

const runs = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Scripts that are written without spaces between words. */
const withoutSpaces =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** A word without case, accents and compatibility differences, like the sort key of a title. */
const foldWord = (word: string): string => {
  const folded = word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return Array.from(folded.slice(0, 2 * maxWordLength))
    .slice(0, maxWordLength)
    .join('')
    .toWellFormed()
}

/** Characters that Intl.Segmenter separates at a time: it needs quadratic time. */
const segmentedAtOnce = 200

function* segmentsOf(run: string): Generator<{ readonly segment: string; readonly index: number }, void> {
  for (let from = 0; from < run.length; from += segmentedAtOnce)
    for (const { segment, index } of segmenter.segment(run.slice(from, from + segmentedAtOnce)))
      yield { segment, index: from + index }
}

/** The words of a run that is not ASCII. */
function* wordsBeyondAscii(text: string): Generator<Word, void> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    const parts = withoutSpaces.test(run) ? segmentsOf(run) : [{ segment: run, index: 0 }]
    for (const part of parts) {
      const word = foldWord(part.segment)
      const start = index + part.index
      if (word !== '') yield { word, start, end: start + part.segment.length }
    }
  }
}

const isUpperCase = (code: number): boolean => code >= 0x41 && code <= 0x5a

const isLowerCaseOrDigit = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)

/**
 * Calls `visit` with each word of a text, in its order, until it returns false. Words are runs of letters and digits,
 * and within them, for scripts that are written without spaces, the words that Intl.Segmenter finds. Most words are
 * ASCII, for which a regular expression and a generator take three times as long.
 */
export const visitWords = (text: string, visit: (word: Word) => boolean): void => {
  let start = -1
  let [isAscii, hasUpperCase] = [true, false]
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code > 0x7f || isLowerCaseOrDigit(code) || isUpperCase(code)) {
      if (start === -1) start = at
      if (code > 0x7f) isAscii = false
      else if (isUpperCase(code)) hasUpperCase = true
      continue
    }
    if (start === -1) continue
    if (isAscii) {
      const word = text.slice(start, Math.min(at, start + maxWordLength))
      if (!visit({ word: hasUpperCase ? word.toLowerCase() : word, start, end: at })) return
    } else {
      for (const each of wordsBeyondAscii(text.slice(start, at)))
        if (!visit({ word: each.word, start: start + each.start, end: start + each.end })) return
    }
    start = -1
    isAscii = true
    hasUpperCase = false
  }
}
