/**
 * Sessions in documents: a block of `sh` holds commands, the block of `text` behind it what they print. Three dots of
 * one character (…) stand for whatever differs from run to run, or is too long to be shown.
 */
import type { Block } from './documents.js'

export type Exchange = {
  readonly commands: string
  /** What is printed; null where the document doesn't say. */
  readonly printed: string | null
  readonly line: number
}

/** The sessions of a document, in its order. */
export const exchangesOf = (blocks: readonly Block[]): readonly Exchange[] =>
  blocks.flatMap(({ language, text, line }, index) => {
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    return [{ commands: text, line, printed: next?.language === 'text' ? next.text : null }]
  })

const withoutTrailingBlanks = (text: string): string => text.replaceAll(/[ \t\r]+$/gm, '').trim()

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Whether a text is what a document shows. */
export const isShownAs = (actual: string, shown: string): boolean => {
  const pattern = withoutTrailingBlanks(shown).split('…').map(literally).join('[^]*?')
  return new RegExp(`^${pattern}$`).test(withoutTrailingBlanks(actual))
}
