/** Mobiledoc, the form in which Ghost edited posts from version 1 to 5, as HTML. */
import { isJsonObject } from '@publishing-service/domain/json'
import { escaped } from '../escaped.js'
import { headingIds } from './heading-ids.js'
import { fieldsIn, listIn, shownTexts } from './html-text.js'
import { Translation, type Translated } from './translated.js'

const textAt = (list: readonly unknown[], index: number): string => {
  const value = list[index]
  return typeof value === 'string' ? value : ''
}

const listAt = (list: readonly unknown[], index: number): readonly unknown[] => {
  const value = list[index]
  return Array.isArray(value) ? value : []
}

const numberAt = (list: readonly unknown[], index: number): number => {
  const value = list[index]
  return typeof value === 'number' ? value : 0
}

/** The kinds of sections, and of markers. */
const [textSection, pictureSection, listSection, cardSection] = [1, 2, 3, 10]
const atomMarker = 1

const inline: ReadonlySet<string> = new Set('a b strong i em u s code sub sup mark'.split(' '))

type Tag = { readonly name: string; readonly attributes: string }

/** A markup: its name, and a list of its attributes, in which the value follows the name. */
const tagOf = (markup: readonly unknown[]): Tag | null => {
  const name = textAt(markup, 0).toLowerCase()
  const pairs = listAt(markup, 1)
  const href = pairs.findIndex((each, index) => index % 2 === 0 && each === 'href')
  const address = name === 'a' && href !== -1 ? ` href="${escaped(textAt(pairs, href + 1))}"` : ''
  return inline.has(name) ? { name, attributes: address } : null
}

/** The most characters of HTML. A card can be in a document many times, so that a short one could become very long. */
const longest = 8_000_000

/** Mobiledoc as HTML; null if it is no document of Mobiledoc 0.3, or too long. */
export const translateMobiledoc = (document: unknown): Translated | null => {
  const fields = fieldsIn(document)
  if (!Array.isArray(fields['sections']) || !String(fields['version']).startsWith('0.3')) return null
  const [atoms, cards, markups] = (['atoms', 'cards', 'markups'] as const).map((name) =>
    listIn(fields, name).map((each): readonly unknown[] => (Array.isArray(each) ? each : [])),
  )
  const translation = new Translation()
  const idOf = headingIds()

  const atomHtml = (index: number): string => {
    const atom = atoms?.[index] ?? []
    const name = textAt(atom, 0)
    if (name === 'soft-return') return '<br>'
    translation.unknownHtml(name, {})
    return escaped([textAt(atom, 1), ...shownTexts(atom[2])].join(' ').trim())
  }

  /** The text of a section, with its markups. Those that the last marker leaves open end with it. */
  const markersHtml = (markers: readonly unknown[]): string => {
    const open: (Tag | null)[] = []
    const closed = (count: number): string =>
      Array.from({ length: Math.max(0, Math.min(count, open.length)) }, () => {
        const tag = open.pop() ?? null
        return tag === null ? '' : `</${tag.name}>`
      }).join('')
    const found = markers.map((each) => {
      const marker: readonly unknown[] = Array.isArray(each) ? each : []
      const opened = listAt(marker, 1).map((index) => {
        const tag = typeof index === 'number' ? tagOf(markups?.[index] ?? []) : null
        open.push(tag)
        return tag === null ? '' : `<${tag.name}${tag.attributes}>`
      })
      const content =
        numberAt(marker, 0) === atomMarker ? atomHtml(numberAt(marker, 3)) : escaped(textAt(marker, 3))
      return `${opened.join('')}${content}${closed(numberAt(marker, 2))}`
    })
    return `${found.join('')}${closed(open.length)}`
  }

  const textHtml = (name: string, markers: readonly unknown[]): string => {
    const content = markersHtml(markers)
    if (content === '') return ''
    if (/^h[1-6]$/.test(name)) {
      const text = markers.map((each) => (Array.isArray(each) ? textAt(each, 3) : '')).join('')
      const id = idOf(text)
      return `<${name}${id === '' ? '' : ` id="${escaped(id)}"`}>${content}</${name}>`
    }
    return name === 'p' ? `<p>${content}</p>` : `<blockquote>${content}</blockquote>`
  }

  const listHtml = (name: string, items: readonly unknown[]): string => {
    const found = items.map((each) => `<li>${markersHtml(Array.isArray(each) ? each : [])}</li>`)
    return `<${name}>${found.join('')}</${name}>`
  }

  const sectionHtml = (each: unknown): string => {
    const section: readonly unknown[] = Array.isArray(each) ? each : []
    const name = textAt(section, 1).toLowerCase()
    switch (section[0]) {
      case textSection:
        return textHtml(name, listAt(section, 2))
      case pictureSection:
        return translation.cardHtml('image', { src: textAt(section, 1) })
      case listSection:
        return listHtml(name === 'ol' ? 'ol' : 'ul', listAt(section, 2))
      case cardSection: {
        const card = cards?.[numberAt(section, 1)] ?? []
        return translation.cardHtml(textAt(card, 0), isJsonObject(card[1]) ? card[1] : {})
      }
      default:
        return translation.unknownHtml(`section ${String(section[0])}`, { section })
    }
  }

  let length = 0
  for (const section of listIn(fields, 'sections')) {
    translation.add(() => {
      const html = sectionHtml(section)
      length += html.length
      return html
    })
    if (length > longest) return null
  }
  return translation.result()
}
