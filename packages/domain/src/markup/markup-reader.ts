/**
 * Compares the events of a parser with the schema. It keeps its own list of open elements, because after a fault that of the
 * parser differs: a fault is reported once, not again for what follows from it.
 */
import { E, type Either } from '../fp.js'
import type { AttributeRule, AttributeValue, ContentModel, ElementRule, MarkupSchema } from './body-schema.js'
import { dangerousAttributes, dangerousElements, entityNames } from './body-schema.js'
import { commentEnd, type ForbiddenSequence } from './forbidden-sequence.js'
import { imageCandidates, linkFault, schemeDanger } from './link-fault.js'
import { excerpt, type Finding, type MarkupFaultKind, syntaxFault } from './markup-fault.js'

/** Handlers for the events of the parser, and their result. */
export type MarkupReader = {
  /** The name of a start tag has been read. */
  readonly startTag: (tag: { readonly name: string }) => void
  readonly attribute: (attribute: { readonly name: string; readonly value: string }) => void
  /** A start tag has been read to its end. */
  readonly open: () => void
  /** The element `name` ends, by an end tag of any name, or within its start tag. */
  readonly close: (tag: { readonly name: string; readonly isSelfClosing: boolean }) => void
  /** A well-formed comment has been read. */
  readonly comment: () => void
  readonly complaint: (error: { readonly message: string }) => void
  /** The text continues with a forbidden sequence. The parser reads harmless characters in its place. */
  readonly forbidden: (sequence: ForbiddenSequence) => void
  /** The text ends here. */
  readonly end: () => void
  /** Whether as many faults as are wanted have been found. All later events are ignored. */
  readonly isFull: () => boolean
  /** The faults up to here, in no order. */
  readonly findings: readonly Finding[]
  /** The ids of the slots up to here, in lower case. */
  readonly slots: ReadonlySet<string>
}

/** An open element, or the top of the text, which has no name. An element that is not accepted contains what its parent does. */
type Open = {
  readonly name: string | null
  readonly rule: ElementRule | null
  readonly content: ContentModel
  /** Elements that are accepted while there is no content other than white space and comments. */
  readonly alone: readonly string[]
}

const references: readonly string[] = [...entityNames.map((name) => `&${name};`), 'a number such as &#160;']
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const integer = /^-?[0-9]{1,10}$/
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

const dangerOf = (attribute: string): string | undefined =>
  dangerousAttributes.find(([pattern]) => pattern.test(attribute.toLowerCase()))?.[1]

/** The rule for an attribute: the one with its name, or the one for `data-*` or `*`. */
export const ruleFor = (rules: readonly AttributeRule[], name: string): AttributeRule | undefined => {
  const own = rules.find((each) => each.name === name)
  if (own !== undefined || /[A-Z:*]/.test(name)) return own
  const wildcard = /^data-./.test(name) ? 'data-*' : '*'
  return rules.find((each) => each.name === wildcard)
}

export type ValueFault = {
  readonly kind: MarkupFaultKind
  readonly right: string
  readonly danger?: string | undefined
}

/** Complaints after which the parser reads the rest of the tag as it is meant. */
const withinReadableTag = new Set([
  'attribute without value.',
  'unquoted attribute value.',
  'no whitespace between attributes.',
  'disallowed character.',
])

const faultOf = <A>(read: Either<string, A>): string | null => (E.isLeft(read) ? read.left : null)

/** What is wrong with the value of an attribute, except what depends on the rest of the text. */
export const valueFault = (rule: AttributeValue, value: string): ValueFault | null => {
  switch (rule.kind) {
    case 'text':
      return null
    case 'ignored': {
      const danger = schemeDanger(value)
      return danger === null ? null : { kind: 'link', danger, right: 'a value without this scheme' }
    }
    case 'link':
    case 'image candidates': {
      const right = rule.kind === 'link' ? linkFault(value) : faultOf(imageCandidates(value))
      return right === null ? null : { kind: 'link', right, danger: schemeDanger(value) ?? undefined }
    }
    case 'word': {
      const right = rule.words.map((word) => `"${word}"`).join(', ')
      return rule.words.includes(value) ? null : { kind: 'value', right }
    }
    case 'integer': {
      const { minimum, maximum, percentage } = rule
      const digits = percentage && value.endsWith('%') ? value.slice(0, -1) : value
      const number = Number(digits)
      if (integer.test(digits) && number >= minimum && number <= maximum) return null
      const right = `an integer from ${minimum} to ${maximum}${percentage ? ', or a percentage' : ''}`
      return { kind: 'value', right }
    }
    case 'slot id':
      return uuid.test(value.toLowerCase())
        ? null
        : { kind: 'slot id', right: 'a UUID such as 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11' }
  }
}

/**
 * Compares `text` with the schema, up to a number of faults. The position of the parser is the index after the last character
 * that it has read.
 */
export const markupReader = (
  text: string,
  schema: MarkupSchema,
  parser: { readonly position: number },
  mostFindings: number,
): MarkupReader => {
  const { byName } = schema
  const ancestors: ElementRule[] = []
  const enclosing: Open[] = []
  let current: Open = { name: null, rule: null, content: schema.top, alone: schema.top.alone }
  const slots = new Set<string>()
  const given = new Set<string>()
  const findings: Finding[] = []
  let opening: ElementRule | undefined
  let openingName = ''
  let tagStart = 0
  let attributesFrom = 0
  let contentFrom = 0
  /** The element within which faults are ignored, and how many of its name are open. */
  let ignored: { readonly name: string; readonly depth: number } | null = null
  /** An empty element that was left before its end tag. */
  let leftEmpty: string | null = null
  let isTextReported = false
  let foundTag = 0
  let tagSoughtFrom = -1
  /** Where the tag starts whose rest the parser reads in another way than it is meant. */
  let lostTag: number | null = null
  let isValueReported = false

  const isFull = (): boolean => findings.length === mostFindings
  // What is found at the place of a fault follows from it.
  const report = (finding: Finding): void => {
    if (isFull() || findings.some(({ offset }) => offset === finding.offset)) return
    findings.push(finding)
  }
  const fits = ({ notWithin }: ElementRule): boolean =>
    !ancestors.some(({ name }) => notWithin.includes(name))
  const allowed = (): readonly string[] => {
    const { content, name: open, alone } = current
    const children = content.elements.flatMap((name) => byName.get(name) ?? [])
    return [
      ...(content.kind === 'mixed' ? ['text'] : []),
      ...(ancestors.length < schema.maximumDepth
        ? [...describeElements(children.filter(fits)), ...alone.map((name) => `<${name}> alone`)]
        : []),
      ...(open === null ? [] : [`</${excerpt(open)}>`]),
    ]
  }
  const isOpen = (name: string): boolean =>
    current.name === name || enclosing.some((each) => each.name === name)
  const leave = (): void => {
    if (current.rule !== null) ancestors.pop()
    current = enclosing.pop() ?? current
  }
  const leaveEmpty = (): void => {
    if (current.content.kind !== 'empty') return
    leftEmpty = current.name
    leave()
  }
  // The first < after the last complete tag or comment starts the current one.
  const findTag = (): number => {
    if (tagSoughtFrom !== contentFrom) {
      const index = text.indexOf('<', contentFrom)
      foundTag = index === -1 ? text.length : index
      tagSoughtFrom = contentFrom
    }
    return foundTag
  }
  const checkGap = (gapEnd: number): void => {
    const { kind } = current.content
    if (contentFrom >= gapEnd || (kind === 'mixed' && current.alone.length === 0)) return
    const offset = kind === 'empty' ? contentFrom : firstVisible(text, contentFrom, gapEnd)
    if (offset === null) return
    if (kind === 'mixed') current = { ...current, alone: [] }
    else if (!isTextReported) {
      report({ kind: 'text', offset, found: describeText(text, offset, gapEnd), allowed: allowed() })
      isTextReported = true
    }
    if (kind === 'empty') {
      leaveEmpty()
      checkGap(gapEnd)
    }
  }
  const contentStarts = (from: number): void => {
    contentFrom = from
    isTextReported = false
  }

  const startTag: MarkupReader['startTag'] = ({ name }) => {
    if (isFull()) return
    tagStart = findTag()
    opening = undefined
    if (ignored !== null) {
      if (name === ignored.name) ignored = { name, depth: ignored.depth + 1 }
      return
    }
    checkGap(tagStart)
    const rule = byName.get(name)
    const isAlone = current.alone.includes(name)
    const isMember = isAlone || current.content.elements.includes(name)
    if (rule === undefined || !isMember || (rule.notWithin.length > 0 && !fits(rule))) {
      const found = describeElement(name, (lower) => byName.has(lower))
      report({ kind: 'element', offset: tagStart, found, allowed: allowed() })
      leaveEmpty()
    }
    if (ancestors.length === schema.maximumDepth) {
      const found = `<${name}> nested more than ${schema.maximumDepth} deep`
      report({ kind: 'depth', offset: tagStart, found, allowed: allowed() })
      ignored = { name, depth: 1 }
      return
    }
    if (rule === undefined && isIgnored(name)) {
      ignored = { name, depth: 1 }
      return
    }
    if (current.alone.length > 0)
      current = { ...current, content: isAlone ? nothing : current.content, alone: [] }
    opening = rule
    openingName = name
    attributesFrom = parser.position
    isValueReported = false
    given.clear()
  }

  const checkAttribute = (element: ElementRule, name: string, value: string): void => {
    const offset = firstVisible(text, attributesFrom, text.length) ?? attributesFrom
    const what = dangerOf(name)
    const rule = what === undefined ? ruleFor(element.attributes, name) : undefined
    const repeated = given.has(name)
    if (rule === undefined || repeated) {
      const left = element.attributes.filter((each) => !given.has(each.name)).map((each) => each.name)
      const isKnown = name !== name.toLowerCase() && left.includes(name.toLowerCase())
      const found = `the attribute ${named(excerpt(name), what, isKnown)} of <${element.name}>`
      const anyOther = left.map((each) => (each === '*' ? 'any other name in lower case' : each))
      return report({
        kind: repeated ? 'repeated attribute' : 'attribute',
        offset,
        found: `${found}${repeated ? ' a second time' : ''}`,
        allowed: [...anyOther, 'the end of the tag'],
      })
    }
    if (isValueReported) return
    const isSlot = rule.value.kind === 'slot id'
    const wrong: ValueFault | null =
      isSlot && slots.has(value.toLowerCase())
        ? { kind: 'repeated slot', right: 'the id of a slot that has no other tag in this text' }
        : valueFault(rule.value, value)
    if (wrong !== null) {
      const quote = /[^=]*=[ \t\r\n]*["']/y
      quote.lastIndex = offset
      const inQuotes = quote.test(text) ? quote.lastIndex : offset
      const found = named(`${excerpt(name)}="${excerpt(value)}"`, wrong.danger, false)
      return report({ kind: wrong.kind, offset: inQuotes, found, allowed: [wrong.right] })
    }
    if (isSlot) slots.add(value.toLowerCase())
  }

  const attribute: MarkupReader['attribute'] = ({ name, value }) => {
    if (isFull() || opening === undefined) return
    if (tagStart !== lostTag) checkAttribute(opening, name, value)
    given.add(name)
    isValueReported = false
    attributesFrom = parser.position
  }

  const open = (): void => {
    if (isFull()) return
    contentStarts(parser.position)
    if (ignored !== null) return
    if (opening === undefined) {
      enclosing.push(current)
      current = { name: openingName, rule: null, content: current.content, alone: [] }
      return
    }
    const { name, attributes, content } = opening
    const missing = attributes.find((each) => each.required && !given.has(each.name))
    if (missing !== undefined) {
      const found = `<${name}> without the attribute ${missing.name}`
      const right = `<${name} ${missing.name}="…">`
      report({ kind: 'missing attribute', offset: tagStart, found, allowed: [right] })
    }
    ancestors.push(opening)
    enclosing.push(current)
    current = { name, rule: opening, content, alone: content.alone }
  }

  /** Ends the element of this name that is ignored, if it is one. */
  const leaveIgnored = (name: string): void => {
    if (ignored?.name === name) ignored = ignored.depth === 1 ? null : { name, depth: ignored.depth - 1 }
  }

  /** An end tag of another element than the current one. */
  const leaveOuter = (name: string, written: string): void => {
    const isOuter = isOpen(name)
    if (name === leftEmpty && !isOuter) {
      leftEmpty = null
      return
    }
    if (tagStart !== lostTag)
      report({ kind: 'end tag', offset: tagStart, found: `</${excerpt(written)}>`, allowed: allowed() })
    if (!isOuter) return
    while (current.name !== name) leave()
    leave()
  }

  const endTag = (): void => {
    const end = parser.position
    // The parser reports each element that an end tag closes.
    if (contentFrom === end) return
    tagStart = findTag()
    const written = withoutTrailingBlanks(text.slice(tagStart + 2, end - 1))
    const name = tagStart === lostTag ? (/^[^ \t\r\n]*/.exec(written)?.[0] ?? '') : written
    if (ignored !== null && (ignored.name === name || !isOpen(name))) leaveIgnored(name)
    else {
      ignored = null
      checkGap(tagStart)
      if (current.name === name) leave()
      else leaveOuter(name, written)
    }
    contentStarts(end)
  }

  const close: MarkupReader['close'] = ({ name, isSelfClosing }) => {
    if (isFull()) return
    if (!isSelfClosing) return endTag()
    if (ignored === null) leave()
    else leaveIgnored(name)
  }

  const comment = (): void => {
    if (isFull()) return
    const offset = findTag()
    if (ignored === null) {
      checkGap(offset)
      if (current.content.kind === 'empty') {
        report({ kind: 'text', offset, found: 'a comment (<!--)', allowed: allowed() })
        leaveEmpty()
      }
    }
    contentStarts(commentEnd(text, offset))
  }

  const complaint: MarkupReader['complaint'] = ({ message }) => {
    if (isFull() || message.startsWith('unexpected close tag') || message.startsWith('duplicate attribute'))
      return
    if (message.startsWith('unmatched closing tag') || message.startsWith('weird empty close tag'))
      return endTag()
    const read = parser.position
    const tag = findTag()
    if (tag === lostTag) return
    const startsNoTag = message === 'disallowed character in tag name'
    const isInTag = tag < read && !startsNoTag
    if (isInTag && !withinReadableTag.has(message)) lostTag = tag
    if (ignored === null) checkGap(Math.min(tag, read))
    if (startsNoTag) contentFrom = read
    if (ignored !== null) return
    const finding = syntaxFault(message, { text, read, tagStart: tag, content: allowed() })
    if (isInTag || !isTextReported) report(finding)
    if (startsNoTag) {
      isTextReported = current.content.kind !== 'mixed'
      current = { ...current, alone: [] }
    }
    if (!isInTag) return
    // The parser skips an attribute without value if another one follows.
    const isSkipped = message.startsWith('attribute without') && text.charAt(finding.offset) !== '>'
    isValueReported = !isSkipped
    if (isSkipped) attributesFrom = finding.offset
  }

  const restOfTag = (tag: number): readonly string[] => [
    `the rest of the tag ${excerpt(text.slice(tag, tag + 20))}`,
  ]

  const forbidden: MarkupReader['forbidden'] = ({ offset, from, to, kind, found }) => {
    if (isFull()) return
    const tag = findTag()
    const inTag = tag < from
    if (ignored === null) {
      checkGap(Math.min(tag, from))
      const here = inTag ? restOfTag(tag) : allowed()
      const byKind = {
        character: ['a character that XML 1.0 allows'],
        comment: ['a comment such as <!-- text -->, without -- inside'],
        declaration: here,
        reference: inTag || current.content.kind === 'mixed' ? references : here,
      }
      report({ kind, offset, found, allowed: byKind[kind] })
    }
    // A comment or a declaration starts like a tag.
    if (tag !== from) return
    contentFrom = to
    if (to === text.length) lostTag = to
  }

  const end = (): void => {
    if (isFull() || ignored !== null) return
    const tag = findTag()
    const offset = text.length
    checkGap(tag)
    if (tag === lostTag) return
    if (tag < offset) {
      const found = 'the end of the text within a tag'
      report({ kind: 'end of text', offset, found, allowed: restOfTag(tag) })
    } else if (current.name !== null) {
      const found = `the end of the text before </${excerpt(current.name)}>`
      report({ kind: 'end of text', offset, found, allowed: allowed() })
    }
  }

  return {
    startTag,
    attribute,
    open,
    close,
    comment,
    complaint,
    forbidden,
    end,
    isFull,
    findings,
    slots,
  }
}
