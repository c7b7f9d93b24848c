const letters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
}

const maxLength = 80

/** A name for addresses, made from a title; empty if the title has no Latin letters or digits. */
export const suggestedUrlname = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[äöüßæøœ]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-|-$/g, '')
