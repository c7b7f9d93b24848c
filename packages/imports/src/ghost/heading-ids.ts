/** The ids that Ghost gives to headings, to which links lead. */

const symbols = /[\][!"#$%&'()*+,./:;<=>?@\\^_{|}~]/g

const slugOf = (text: string): string =>
  encodeURIComponent(
    text
      .toWellFormed()
      .trim()
      .toLowerCase()
      .replaceAll(symbols, '')
      .replaceAll(/\s+/g, '-')
      .replaceAll(/^-|-{2,}|-$/g, ''),
  )

/** Returns the id of each next heading of a post; empty for a heading without letters. */
export const headingIds = (): ((text: string) => string) => {
  const used = new Map<string, number>()
  return (text) => {
    const slug = slugOf(text)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return slug === '' || count === 0 ? slug : `${slug}-${count}`
  }
}
