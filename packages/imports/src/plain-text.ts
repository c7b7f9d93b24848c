/** Texts of HTML, for attributes that are plain text. */
import { toBody } from '@publishing-service/foreign-markup'

const references: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
}

const blockEnds = /<\/(?:p|h[1-6]|blockquote|pre|ul|ol|dl|table|figure|details|div|aside)>/g
const lineEnds = /<br\/>|<\/(?:li|tr|dt|dd|figcaption|caption|summary)>/g

/** The text of markup that `toBody` has made. */
const textOfMarkup = (markup: string): string =>
  markup
    .replaceAll(blockEnds, '\n\n')
    .replaceAll(lineEnds, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (each) => references[each] ?? each)
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

const isPlain = (html: string): boolean => !/[<&]|\p{Cc}/u.test(html)

/** The text of HTML. Paragraphs are divided by empty lines; with `hasTextLines`, lines of the source remain. */
export const plainText = (html: string, options: { readonly hasTextLines?: boolean } = {}): string =>
  isPlain(html) ? html.trim() : textOfMarkup(toBody(html, options).markup)

/** The text of HTML in one line, such as a title. */
export const plainLine = (html: string): string => plainText(html).replaceAll(/\s+/g, ' ')

/** The first characters of a text: whole words, if the last one is not very long. */
export const shortened = (text: string, most: number): string => {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  if (characters.length <= most) return text
  const cut = characters.slice(0, most - 1).join('')
  const words = cut.replace(/\s+\S*$/, '')
  return `${words.length > cut.length - 60 && words !== '' ? words : cut}…`
}
