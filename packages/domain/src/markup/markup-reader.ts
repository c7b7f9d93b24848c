/**
 * Compares the events of a parser with the schema. It keeps its own list of open elements, because after a fault that of the
 * parser differs: a fault is reported once, not again for what follows from it.
 */
import type { SaxesParser } from 'saxes'
import { dangerOf, ruleFor, valueFault, type ValueFault } from './attribute-rules.js'
import {
  dangerousElements,
  entityNames,
  type ContentModel,
  type ElementRule,
  type MarkupSchema,
} from './body-schema.js'
import { commentEnd, type ForbiddenSequence } from './forbidden-sequence.js'
import { excerpt, type Finding, syntaxFault } from './markup-fault.js'

/** An open element, or the top of the text, which has no name. An element that is not accepted contains what its parent does. */
type Open = {
  readonly name: string | null
  readonly rule: ElementRule | null
  readonly content: ContentModel
  /** Elements that are accepted while there is no content other than white space and comments. */
  readonly alone: readonly string[]
}

const references: readonly string[] = [...entityNames.map((name) => `&${name};`), 'a number such as &#160;']
const nothing: ContentModel = { kind: 'elements', elements: [], alone: [] }

/** The index of the first character in [from, to) that is not white space of XML, or null. */
const firstVisible = (text: string, from: number, to: number): number | null => {
  const visible = /[^ \t\r\n]/g
  visible.lastIndex = from
  const index = visible.exec(text)?.index ?? to
  return index < to ? index : null
}

// Only white space of XML: other white space that JavaScript trims belongs to the text or to a name.
const withoutTrailingBlanks = (piece: string): string => {
  let end = piece.length
  while (end > 0 && ' \t\r\n'.includes(piece.charAt(end - 1))) end -= 1
  return piece.slice(0, end)
}

const describeText = (text: string, from: number, to: number): string => {
  const piece = text.slice(from, Math.min(to, from + 100))
  return /^[ \t\r\n]/.test(piece) ? 'white space' : `the text "${excerpt(withoutTrailingBlanks(piece))}"`
}

/** Maximum number of elements that are listed one by one; more are listed by category. */
const fewElements = 5
const describeElements = (rules: readonly ElementRule[]): readonly string[] => {
  if (rules.length <= fewElements) return rules.map(({ name }) => `<${name}>`)
  return (['inline', 'block', 'part'] as const).flatMap((category) => {
    const names = rules.filter((rule) => rule.category === category).map(({ name }) => name)
    if (category === 'part' || names.length <= fewElements) return names.map((name) => `<${name}>`)
    return [`${category} elements (${names.join(' ')})`]
  })
}

/** What was found, with the reason why it is never accepted, or with a note that names are in lower case. */
const named = (found: string, what: string | undefined, known: boolean): string => {
  if (what !== undefined) return `${found} (${what}: never accepted)`
  return known ? `${found} (names are written in lower case)` : found
}

const localName = (name: string): string => {
  const lower = name.toLowerCase()
  return lower.slice(lower.lastIndexOf(':') + 1)
}

const dangerOfElement = (name: string): string | undefined => {
  const local = localName(name)
  return Object.hasOwn(dangerousElements, local) ? dangerousElements[local] : undefined
}

/** Dangerous elements that HTML does not close. */
const unclosed = 'base embed frame input link meta'.split(' ')
/** Whether faults within an element say nothing more than that it is not accepted. */
const isIgnored = (name: string): boolean =>
  dangerOfElement(name) !== undefined && !unclosed.includes(localName(name))

const describeElement = (name: string, known: (name: string) => boolean): string => {
  const lower = name.toLowerCase()
  return named(`<${excerpt(name)}>`, dangerOfElement(name), lower !== name && known(lower))
}

/** Complaints after which the parser reads the rest of the tag as it is meant. */
const withinReadableTag = new Set([
  'attribute without value.',
  'unquoted attribute value.',
  'no whitespace between attributes.',
  'disallowed character.',
])

/**
 * Compares `text`, which a parser reads, with the schema, up to a number of faults. It handles the events of the parser, whose
 * position is the index after the last character that it has read.
 */
export class MarkupReader {
  readonly #text: string
  readonly #schema: MarkupSchema
  readonly #byName: MarkupSchema['byName']
  readonly #parser: { readonly position: number }
  readonly #mostFindings: number
  readonly #ancestors: ElementRule[] = []
  readonly #enclosing: Open[] = []
  #current: Open
  /** The ids of the slots up to here, in lower case. */
  readonly slots = new Set<string>()
  readonly #given = new Set<string>()
  /** The faults up to here, in no order. */
  readonly findings: Finding[] = []
  #opening: ElementRule | undefined
  #openingName = ''
  #tagStart = 0
  #attributesFrom = 0
  #contentFrom = 0
  /** The element within which faults are ignored, and how many of its name are open. */
  #ignored: { readonly name: string; readonly depth: number } | null = null
  /** An empty element that was left before its end tag. */
  #leftEmpty: string | null = null
  #isTextReported = false
  #foundTag = 0
  #tagSoughtFrom = -1
  /** Where the tag starts whose rest the parser reads in another way than it is meant. */
  #lostTag: number | null = null
  #isValueReported = false

  constructor(
    text: string,
    schema: MarkupSchema,
    parser: SaxesParser<{ fragment: true; position: false }>,
    mostFindings: number,
  ) {
    this.#text = text
    this.#schema = schema
    this.#parser = parser
    this.#mostFindings = mostFindings
    this.#byName = schema.byName
    this.#current = { name: null, rule: null, content: schema.top, alone: schema.top.alone }
    parser.on('opentagstart', this.#startTag.bind(this))
    parser.on('attribute', this.#attribute.bind(this))
    parser.on('opentag', this.#open.bind(this))
    parser.on('closetag', this.#close.bind(this))
    parser.on('comment', this.#comment.bind(this))
    parser.on('error', this.#complaint.bind(this))
  }

  /** Whether as many faults as are wanted have been found. All later events are ignored. */
  isFull(): boolean {
    return this.findings.length === this.#mostFindings
  }

  // What is found at the place of a fault follows from it.
  #report(finding: Finding): void {
    if (this.isFull() || this.findings.some(({ offset }) => offset === finding.offset)) return
    this.findings.push(finding)
  }

  #fits({ notWithin }: ElementRule): boolean {
    return !this.#ancestors.some(({ name }) => notWithin.includes(name))
  }

  #allowed(): readonly string[] {
    const { content, name: open, alone } = this.#current
    const children = content.elements.flatMap((name) => this.#byName.get(name) ?? [])
    return [
      ...(content.kind === 'mixed' ? ['text'] : []),
      ...(this.#ancestors.length < this.#schema.maximumDepth
        ? [
            ...describeElements(children.filter((rule) => this.#fits(rule))),
            ...alone.map((name) => `<${name}> alone`),
          ]
        : []),
      ...(open === null ? [] : [`</${excerpt(open)}>`]),
    ]
  }

  #isOpen(name: string): boolean {
    return this.#current.name === name || this.#enclosing.some((each) => each.name === name)
  }

  #leave(): void {
    if (this.#current.rule !== null) this.#ancestors.pop()
    this.#current = this.#enclosing.pop() ?? this.#current
  }

  #leaveEmpty(): void {
    if (this.#current.content.kind !== 'empty') return
    this.#leftEmpty = this.#current.name
    this.#leave()
  }

  // The first < after the last complete tag or comment starts the current one.
  #findTag(): number {
    if (this.#tagSoughtFrom !== this.#contentFrom) {
      const index = this.#text.indexOf('<', this.#contentFrom)
      this.#foundTag = index === -1 ? this.#text.length : index
      this.#tagSoughtFrom = this.#contentFrom
    }
    return this.#foundTag
  }

  #checkGap(gapEnd: number): void {
    const { kind } = this.#current.content
    if (this.#contentFrom >= gapEnd || (kind === 'mixed' && this.#current.alone.length === 0)) return
    const offset = kind === 'empty' ? this.#contentFrom : firstVisible(this.#text, this.#contentFrom, gapEnd)
    if (offset === null) return
    if (kind === 'mixed') this.#current = { ...this.#current, alone: [] }
    else if (!this.#isTextReported) {
      this.#report({
        kind: 'text',
        offset,
        found: describeText(this.#text, offset, gapEnd),
        allowed: this.#allowed(),
      })
      this.#isTextReported = true
    }
    if (kind === 'empty') {
      this.#leaveEmpty()
      this.#checkGap(gapEnd)
    }
  }

  #contentStarts(from: number): void {
    this.#contentFrom = from
    this.#isTextReported = false
  }

  /** The name of a start tag has been read. */
  #startTag({ name }: { readonly name: string }): void {
    if (this.isFull()) return
    this.#tagStart = this.#findTag()
    this.#opening = undefined
    if (this.#ignored !== null) {
      if (name === this.#ignored.name) this.#ignored = { name, depth: this.#ignored.depth + 1 }
      return
    }
    this.#checkGap(this.#tagStart)
    const rule = this.#byName.get(name)
    const isAlone = this.#current.alone.includes(name)
    const isMember = isAlone || this.#current.content.elements.includes(name)
    if (rule === undefined || !isMember || (rule.notWithin.length > 0 && !this.#fits(rule))) {
      const found = describeElement(name, (lower) => this.#byName.has(lower))
      this.#report({ kind: 'element', offset: this.#tagStart, found, allowed: this.#allowed() })
      this.#leaveEmpty()
    }
    if (this.#ancestors.length === this.#schema.maximumDepth) {
      const found = `<${name}> nested more than ${this.#schema.maximumDepth} deep`
      this.#report({ kind: 'depth', offset: this.#tagStart, found, allowed: this.#allowed() })
      this.#ignored = { name, depth: 1 }
      return
    }
    if (rule === undefined && isIgnored(name)) {
      this.#ignored = { name, depth: 1 }
      return
    }
    if (this.#current.alone.length > 0)
      this.#current = { ...this.#current, content: isAlone ? nothing : this.#current.content, alone: [] }
    this.#opening = rule
    this.#openingName = name
    this.#attributesFrom = this.#parser.position
    this.#isValueReported = false
    this.#given.clear()
  }

  #checkAttribute(element: ElementRule, name: string, value: string): void {
    const offset = firstVisible(this.#text, this.#attributesFrom, this.#text.length) ?? this.#attributesFrom
    const what = dangerOf(name)
    const rule = what === undefined ? ruleFor(element.attributes, name) : undefined
    const repeated = this.#given.has(name)
    if (rule === undefined || repeated) {
      const left = element.attributes.filter((each) => !this.#given.has(each.name)).map((each) => each.name)
      const isKnown = name !== name.toLowerCase() && left.includes(name.toLowerCase())
      const found = `the attribute ${named(excerpt(name), what, isKnown)} of <${element.name}>`
      const anyOther = left.map((each) => (each === '*' ? 'any other name in lower case' : each))
      return this.#report({
        kind: repeated ? 'repeated attribute' : 'attribute',
        offset,
        found: `${found}${repeated ? ' a second time' : ''}`,
        allowed: [...anyOther, 'the end of the tag'],
      })
    }
    if (this.#isValueReported) return
    const isSlot = rule.value.kind === 'slot id'
    const wrong: ValueFault | null =
      isSlot && this.slots.has(value.toLowerCase())
        ? { kind: 'repeated slot', right: 'the id of a slot that has no other tag in this text' }
        : valueFault(rule.value, value)
    if (wrong !== null) {
      const quote = /[^=]*=[ \t\r\n]*["']/y
      quote.lastIndex = offset
      const inQuotes = quote.test(this.#text) ? quote.lastIndex : offset
      const found = named(`${excerpt(name)}="${excerpt(value)}"`, wrong.danger, false)
      return this.#report({ kind: wrong.kind, offset: inQuotes, found, allowed: [wrong.right] })
    }
    if (isSlot) this.slots.add(value.toLowerCase())
  }

  #attribute({ name, value }: { readonly name: string; readonly value: string }): void {
    if (this.isFull() || this.#opening === undefined) return
    if (this.#tagStart !== this.#lostTag) this.#checkAttribute(this.#opening, name, value)
    this.#given.add(name)
    this.#isValueReported = false
    this.#attributesFrom = this.#parser.position
  }

  /** A start tag has been read to its end. */
  #open(): void {
    if (this.isFull()) return
    this.#contentStarts(this.#parser.position)
    if (this.#ignored !== null) return
    if (this.#opening === undefined) {
      this.#enclosing.push(this.#current)
      this.#current = { name: this.#openingName, rule: null, content: this.#current.content, alone: [] }
      return
    }
    const { name, attributes, content } = this.#opening
    const missing = attributes.find((each) => each.required && !this.#given.has(each.name))
    if (missing !== undefined) {
      const found = `<${name}> without the attribute ${missing.name}`
      const right = `<${name} ${missing.name}="…">`
      this.#report({ kind: 'missing attribute', offset: this.#tagStart, found, allowed: [right] })
    }
    this.#ancestors.push(this.#opening)
    this.#enclosing.push(this.#current)
    this.#current = { name, rule: this.#opening, content, alone: content.alone }
  }

  /** Ends the element of this name that is ignored, if it is one. */
  #leaveIgnored(name: string): void {
    if (this.#ignored?.name === name)
      this.#ignored = this.#ignored.depth === 1 ? null : { name, depth: this.#ignored.depth - 1 }
  }

  /** An end tag of another element than the current one. */
  #leaveOuter(name: string, written: string): void {
    const isOuter = this.#isOpen(name)
    if (name === this.#leftEmpty && !isOuter) {
      this.#leftEmpty = null
      return
    }
    if (this.#tagStart !== this.#lostTag)
      this.#report({
        kind: 'end tag',
        offset: this.#tagStart,
        found: `</${excerpt(written)}>`,
        allowed: this.#allowed(),
      })
    if (!isOuter) return
    while (this.#current.name !== name) this.#leave()
    this.#leave()
  }

  #endTag(): void {
    const end = this.#parser.position
    // The parser reports each element that an end tag closes.
    if (this.#contentFrom === end) return
    this.#tagStart = this.#findTag()
    const written = withoutTrailingBlanks(this.#text.slice(this.#tagStart + 2, end - 1))
    const name = this.#tagStart === this.#lostTag ? (/^[^ \t\r\n]*/.exec(written)?.[0] ?? '') : written
    if (this.#ignored !== null && (this.#ignored.name === name || !this.#isOpen(name)))
      this.#leaveIgnored(name)
    else {
      this.#ignored = null
      this.#checkGap(this.#tagStart)
      if (this.#current.name === name) this.#leave()
      else this.#leaveOuter(name, written)
    }
    this.#contentStarts(end)
  }

  /** The element `name` ends, by an end tag of any name, or within its start tag. */
  #close({ name, isSelfClosing }: { readonly name: string; readonly isSelfClosing: boolean }): void {
    if (this.isFull()) return
    if (!isSelfClosing) return this.#endTag()
    if (this.#ignored === null) this.#leave()
    else this.#leaveIgnored(name)
  }

  /** A well-formed comment has been read. */
  #comment(): void {
    if (this.isFull()) return
    const offset = this.#findTag()
    if (this.#ignored === null) {
      this.#checkGap(offset)
      if (this.#current.content.kind === 'empty') {
        this.#report({ kind: 'text', offset, found: 'a comment (<!--)', allowed: this.#allowed() })
        this.#leaveEmpty()
      }
    }
    this.#contentStarts(commentEnd(this.#text, offset))
  }

  #complaint({ message }: { readonly message: string }): void {
    if (
      this.isFull() ||
      message.startsWith('unexpected close tag') ||
      message.startsWith('duplicate attribute')
    )
      return
    if (message.startsWith('unmatched closing tag') || message.startsWith('weird empty close tag'))
      return this.#endTag()
    const read = this.#parser.position
    const tag = this.#findTag()
    if (tag === this.#lostTag) return
    const startsNoTag = message === 'disallowed character in tag name'
    const isInTag = tag < read && !startsNoTag
    if (isInTag && !withinReadableTag.has(message)) this.#lostTag = tag
    if (this.#ignored === null) this.#checkGap(Math.min(tag, read))
    if (startsNoTag) this.#contentFrom = read
    if (this.#ignored !== null) return
    const finding = syntaxFault(message, { text: this.#text, read, tagStart: tag, content: this.#allowed() })
    if (isInTag || !this.#isTextReported) this.#report(finding)
    if (startsNoTag) {
      this.#isTextReported = this.#current.content.kind !== 'mixed'
      this.#current = { ...this.#current, alone: [] }
    }
    if (!isInTag) return
    // The parser skips an attribute without value if another one follows.
    const isSkipped = message.startsWith('attribute without') && this.#text.charAt(finding.offset) !== '>'
    this.#isValueReported = !isSkipped
    if (isSkipped) this.#attributesFrom = finding.offset
  }

  #restOfTag(tag: number): readonly string[] {
    return [`the rest of the tag ${excerpt(this.#text.slice(tag, tag + 20))}`]
  }

  /** The text continues with a forbidden sequence. The parser reads harmless characters in its place. */
  forbidden({ offset, from, to, kind, found }: ForbiddenSequence): void {
    if (this.isFull()) return
    const tag = this.#findTag()
    const inTag = tag < from
    if (this.#ignored === null) {
      this.#checkGap(Math.min(tag, from))
      const here = inTag ? this.#restOfTag(tag) : this.#allowed()
      const byKind = {
        character: ['a character that XML 1.0 allows'],
        comment: ['a comment such as <!-- text -->, without -- inside'],
        declaration: here,
        reference: inTag || this.#current.content.kind === 'mixed' ? references : here,
      }
      this.#report({ kind, offset, found, allowed: byKind[kind] })
    }
    // A comment or a declaration starts like a tag.
    if (tag !== from) return
    this.#contentFrom = to
    if (to === this.#text.length) this.#lostTag = to
  }

  /** The text ends here. */
  end(): void {
    if (this.isFull() || this.#ignored !== null) return
    const tag = this.#findTag()
    const offset = this.#text.length
    this.#checkGap(tag)
    if (tag === this.#lostTag) return
    if (tag < offset) {
      const found = 'the end of the text within a tag'
      this.#report({ kind: 'end of text', offset, found, allowed: this.#restOfTag(tag) })
    } else if (this.#current.name !== null) {
      const found = `the end of the text before </${excerpt(this.#current.name)}>`
      this.#report({ kind: 'end of text', offset, found, allowed: this.#allowed() })
    }
  }
}
