import { bodySchema, ruleFor, valueFault } from '@publishing-service/domain/markup'
import { readAddress } from './addresses.js'
import type { Note } from './changes.js'
import { renamed } from './elements.js'
import type { HtmlElement, Place } from './html-tree.js'
import { element, isShown, type Attribute, type MarkupNode } from './markup-tree.js'

const forbidden = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]|[\ud800-\udfff]/gu

/** The attributes that mean the same in every document. */
const copiedAttributes = new Set('href src alt width height start colspan rowspan'.split(' '))

export type ReadingOptions = {
  readonly base: string | null
  readonly rename: Readonly<Record<string, string>>
  readonly isCopied: boolean
}

/** Reads the names, attributes and texts of a source as a body has them, and notes what it leaves out. */
export class SourceElements {
  /** Where the current text is, or begins. */
  latest: Place = { line: 1, column: 1 }

  constructor(
    private readonly options: ReadingOptions,
    readonly note: Note,
  ) {}

  nameOf({ name: written }: HtmlElement): string {
    const { rename } = this.options
    const name = renamed[written] ?? written
    return Object.hasOwn(rename, name) ? (rename[name] ?? name) : name
  }

  readText(text: string): string {
    const read = text.replaceAll(forbidden, '')
    if (read !== text)
      this.note('character', this.latest, `${text.length - read.length} characters that markup does not have`)
    return read.replaceAll('\r', '\n')
  }

  /** A value as a body has it, or null. */
  valueOf(name: string, attribute: string, written: string): string | null {
    const rule = ruleFor(bodySchema.byName.get(name)?.attributes ?? [], attribute)?.value
    if (rule === undefined || rule.kind === 'image candidates') return null
    const plain = written.replaceAll(forbidden, '').replaceAll('\r', '\n')
    const value =
      rule.kind === 'link'
        ? readAddress(plain, this.options.base)
        : rule.kind === 'integer'
          ? (/^-?\d+%?(?=(?:px)?$)/.exec(plain.trim())?.[0] ?? '')
          : rule.kind === 'word' && !rule.words.includes(plain)
            ? plain.trim().toLowerCase()
            : plain
    return value !== null && valueFault(rule, value) === null ? value : null
  }

  /** The attributes that a body has, without those that only style sheets and scripts of the source know. */
  attributesOf({ attributes, place }: HtmlElement, name: string): readonly Attribute[] {
    const { isCopied } = this.options
    const lost: string[] = []
    const bodyAttributes: Attribute[] = []
    for (const [key, written] of attributes) {
      const isOfPage =
        key === 'class' ||
        key.startsWith('data-') ||
        (isCopied && !copiedAttributes.has(key) && !(key === 'dir' && written === 'rtl'))
      const value = isOfPage ? null : this.valueOf(name, key, written)
      // The places in a copied document are left out.
      const isWithin = isCopied && key === 'href' && !/^(?:https?:|mailto:|tel:|\/)/i.test(value ?? '')
      if (value === null || isWithin || (key === 'id' && value === '')) lost.push(key)
      else bodyAttributes.push([key, value])
    }
    if (lost.length > 0) this.note('attribute', place, `${lost.join(', ')} of <${name}>`)
    return bodyAttributes
  }

  noteUnwrapped({ name, place, attributes }: HtmlElement): void {
    const own = [...attributes.keys()].join(', ')
    this.note('element', place, `<${name}>${own === '' ? '' : ` with ${own}`}, but not its text`)
  }

  /** An element with this content, if that shows something; else what there is of the content. */
  wrapped(source: HtmlElement, name: string, children: readonly MarkupNode[]): readonly MarkupNode[] {
    return children.some(isShown) ? [element(name, this.attributesOf(source, name), children)] : children
  }
}
