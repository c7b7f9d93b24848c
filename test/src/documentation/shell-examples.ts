/**
 * Shell examples in documents: a `sh` block contains commands, and the `text` block after it their output. An
 * ellipsis (…) matches any text.
 */
import type { Block } from './documents.js'

export type ShellExample = {
  readonly commands: string
  /** The expected output; null if the document does not show it. */
  readonly printed: string | null
  readonly line: number
}

/** The shell examples of a document, in order. */
export const shellExamplesOf = (blocks: readonly Block[]): readonly ShellExample[] =>
  blocks.flatMap(({ language, text, line }, index) => {
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    return [{ commands: text, line, printed: next?.language === 'text' ? next.text : null }]
  })

const withoutTrailingBlanks = (text: string): string => text.replaceAll(/[ \t\r]+$/gm, '').trim()

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Whether a text matches the output that a document shows. */
export const matchesOutput = (actual: string, expected: string): boolean => {
  const pattern = withoutTrailingBlanks(expected).split('…').map(literally).join('[^]*?')
  return new RegExp(`^${pattern}$`).test(withoutTrailingBlanks(actual))
}
