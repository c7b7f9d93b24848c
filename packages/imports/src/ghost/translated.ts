/** The text of a post as HTML, translated from the form in which Ghost edits it. */
import { escaped } from '../escaped.js'
import { renderCard, type NoteOfCard } from './cards.js'
import { shownTexts, type Fields } from './html-text.js'

export type Translated = {
  /** HTML of one part after the other. Elements that a part does not close end with it. */
  readonly parts: readonly string[]
  readonly notes: readonly string[]
  /** The names of cards and nodes that are unknown. The parts have their texts, as far as these are recognized. */
  readonly unknown: readonly string[]
  /** Whether some of it is for members only. */
  readonly isForMembers: boolean
}

/** Collects what a translation finds. */
export class Translation {
  readonly #parts: string[] = []
  readonly #notes: string[] = []
  readonly #unknown = new Set<string>()
  #isForMembers = false
  /** The HTML of cards is written by people, and may leave elements open. */
  #cards = 0
  #endsWithText = false

  readonly note: NoteOfCard = (text) => {
    this.#notes.push(text)
  }

  /** A card as HTML; the texts of a card that is unknown. */
  cardHtml(name: string, fields: Fields): string {
    this.#cards += 1
    const rendered = renderCard(name, fields, this.note)
    if (rendered === null) return this.unknownHtml(name, fields)
    this.#isForMembers ||= rendered.isForMembers
    return rendered.html
  }

  /** The texts of something unknown, as paragraphs. */
  unknownHtml(name: string, fields: Fields): string {
    this.#cards += 1
    this.#unknown.add(name)
    return shownTexts(fields)
      .map((text) => `<p>${/<\w/.test(text) ? text : escaped(text)}</p>`)
      .join('')
  }

  /** Adds the HTML of the next section. Sections without cards are one part, because that is converted faster. */
  add(htmlOf: () => string): void {
    const before = this.#cards
    const html = htmlOf()
    if (html === '') return
    const isText = this.#cards === before
    if (isText && this.#endsWithText) this.#parts.push(`${this.#parts.pop() ?? ''}${html}`)
    else this.#parts.push(html)
    this.#endsWithText = isText
  }

  result(): Translated {
    return {
      parts: this.#parts,
      notes: this.#notes,
      unknown: [...this.#unknown],
      isForMembers: this.#isForMembers,
    }
  }
}
