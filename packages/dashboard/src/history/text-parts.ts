/** A part of two texts that are compared: of both, or only of the earlier or the present one. */
export type TextPart = { readonly text: string; readonly of: 'both' | 'earlier' | 'present' }

/** The characters of a common part that are shown next to a change. */
const shown = 160

/** Common parts that are hardly longer than what is shown of them are not shortened. */
const tolerance = 80

/** Without the word that is cut, in languages with spaces. */
const headOf = (text: string): string => text.slice(0, shown).replace(/\S{0,40}$/, '')
const tailOf = (text: string): string => text.slice(-shown).replace(/^\S{0,40}/, '')

/** The parts without what is far from a change. */
export const shortened = (parts: readonly TextPart[]): readonly TextPart[] =>
  parts.map((part, index) => {
    const before = index === 0 ? '' : headOf(part.text)
    const after = index === parts.length - 1 ? '' : tailOf(part.text)
    return part.of !== 'both' || part.text.length <= before.length + after.length + tolerance
      ? part
      : { ...part, text: `${before}…${after}` }
  })
