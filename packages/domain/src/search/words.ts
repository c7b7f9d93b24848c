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

const isAsciiLetterOrDigit = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)

/**
 * The words of a text, in its order: runs of letters and digits, and within them, for scripts that are written without
 * spaces, the words that Intl.Segmenter finds. Most words are ASCII, for which a regular expression takes twice as long.
 */
export function* wordsIn(text: string): Generator<Word, void> {
  let start = -1
  let isAscii = true
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code > 0x7f || isAsciiLetterOrDigit(code)) {
      if (start === -1) start = at
      if (code > 0x7f) isAscii = false
      continue
    }
    if (start === -1) continue
    const run = text.slice(start, at)
    if (isAscii) yield { word: run.slice(0, maxWordLength).toLowerCase(), start, end: at }
    else
      for (const each of wordsBeyondAscii(run))
        yield { word: each.word, start: start + each.start, end: start + each.end }
    start = -1
    isAscii = true
  }
}
