/**
 * Compares the events of a parser with the schema. It records the first fault and ignores all later events.
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
  /** The text continues with a forbidden sequence. */
  readonly forbidden: (sequence: ForbiddenSequence) => Finding
  /** The text ends here; null if all of it is valid. */
  readonly end: () => Finding | null
  readonly fault: () => Finding | null
  /** The ids of the slots up to here, in lower case. */
  readonly slots: ReadonlySet<string>
}

/** An open element, or the top of the text, which has no rule. */
type Open = {
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

const describeElement = (name: string, known: (name: string) => boolean): string => {
  const lower = name.toLowerCase()
  const local = lower.slice(lower.lastIndexOf(':') + 1)
  const what = Object.hasOwn(dangerousElements, local) ? dangerousElements[local] : undefined
  return named(`<${excerpt(name)}>`, what, lower !== name && known(lower))
}

const dangerOf = (attribute: string): string | undefined =>
  dangerousAttributes.find(([pattern]) => pattern.test(attribute.toLowerCase()))?.[1]

/** The rule for an attribute: the one with its name, or the one for `data-*` or `*`. */
const ruleFor = (rules: readonly AttributeRule[], name: string): AttributeRule | undefined => {
  const own = rules.find((each) => each.name === name)
  if (own !== undefined || /[A-Z:*]/.test(name)) return own
  const wildcard = /^data-./.test(name) ? 'data-*' : '*'
  return rules.find((each) => each.name === wildcard)
}

type ValueFault = {
  readonly kind: MarkupFaultKind
  readonly right: string
  readonly danger?: string | undefined
}

const faultOf = <A>(read: Either<string, A>): string | null => (E.isLeft(read) ? read.left : null)

/** What is wrong with the value of an attribute, except what depends on the rest of the text. */
const valueFault = (rule: AttributeValue, value: string): ValueFault | null => {
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

/** Compares `text` with the schema. The position of the parser is the index after the last character that it has read. */
export const markupReader = (
  text: string,
  schema: MarkupSchema,
  parser: { readonly position: number },
): MarkupReader => {
  const { byName } = schema
  const ancestors: ElementRule[] = []
  const enclosing: Open[] = []
  let current: Open = { rule: null, content: schema.top, alone: schema.top.alone }
  const slots = new Set<string>()
  const given = new Set<string>()
  let fault: Finding | null = null
  let opening: ElementRule | undefined
  let tagStart = 0
  let attributesFrom = 0
  let contentFrom = 0

  const fits = ({ notWithin }: ElementRule): boolean =>
    !ancestors.some(({ name }) => notWithin.includes(name))
  const allowed = (): readonly string[] => {
    const { content, rule, alone } = current
    const children = content.elements.flatMap((name) => byName.get(name) ?? [])
    return [
      ...(content.kind === 'mixed' ? ['text'] : []),
      ...(ancestors.length < schema.maximumDepth
        ? [...describeElements(children.filter(fits)), ...alone.map((name) => `<${name}> alone`)]
        : []),
      ...(rule === null ? [] : [`</${rule.name}>`]),
    ]
  }
  // The first < after the last complete tag or comment starts the current one.
  const findTag = (): number => {
    const index = text.indexOf('<', contentFrom)
    return index === -1 ? text.length : index
  }
  const checkGap = (gapEnd: number): void => {
    const { kind } = current.content
    if (contentFrom >= gapEnd || (kind === 'mixed' && current.alone.length === 0)) return
    const offset = kind === 'empty' ? contentFrom : firstVisible(text, contentFrom, gapEnd)
    if (offset === null) return
    if (kind === 'mixed') current = { ...current, alone: [] }
    else fault ??= { kind: 'text', offset, found: describeText(text, offset, gapEnd), allowed: allowed() }
  }
  const report = (finding: Finding): void => {
    fault ??= finding
  }

  const startTag: MarkupReader['startTag'] = ({ name }) => {
    if (fault !== null) return
    tagStart = findTag()
    checkGap(tagStart)
    if (fault !== null) return
    const rule = byName.get(name)
    const isAlone = current.alone.includes(name)
    const isMember = isAlone || current.content.elements.includes(name)
    if (rule === undefined || !isMember || (rule.notWithin.length > 0 && !fits(rule))) {
      const found = describeElement(name, (lower) => byName.has(lower))
      return report({ kind: 'element', offset: tagStart, found, allowed: allowed() })
    }
    if (ancestors.length === schema.maximumDepth) {
      const found = `<${name}> nested more than ${schema.maximumDepth} deep`
      return report({ kind: 'depth', offset: tagStart, found, allowed: allowed() })
    }
    current = { ...current, content: isAlone ? nothing : current.content, alone: [] }
    opening = rule
    attributesFrom = parser.position
    given.clear()
  }

  const attribute: MarkupReader['attribute'] = ({ name, value }) => {
    if (fault !== null || opening === undefined) return
    const offset = firstVisible(text, attributesFrom, text.length) ?? attributesFrom
    const element = opening
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
    given.add(name)
    attributesFrom = parser.position
  }

  const open = (): void => {
    if (fault !== null || opening === undefined) return
    const { name, attributes } = opening
    const missing = attributes.find((each) => each.required && !given.has(each.name))
    if (missing !== undefined) {
      const found = `<${name}> without the attribute ${missing.name}`
      const right = `<${name} ${missing.name}="…">`
      return report({ kind: 'missing attribute', offset: tagStart, found, allowed: [right] })
    }
    ancestors.push(opening)
    enclosing.push(current)
    current = { rule: opening, content: opening.content, alone: opening.content.alone }
    contentFrom = parser.position
  }

  const close: MarkupReader['close'] = ({ name, isSelfClosing }) => {
    if (fault !== null) return
    if (!isSelfClosing) {
      tagStart = findTag()
      checkGap(tagStart)
      const written = withoutTrailingBlanks(text.slice(tagStart + 2, parser.position - 1))
      if (written !== name)
        report({ kind: 'end tag', offset: tagStart, found: `</${excerpt(written)}>`, allowed: allowed() })
    }
    ancestors.pop()
    current = enclosing.pop() ?? current
    contentFrom = parser.position
  }

  const comment = (): void => {
    if (fault !== null) return
    const offset = findTag()
    checkGap(offset)
    if (current.content.kind === 'empty')
      report({ kind: 'text', offset, found: 'a comment (<!--)', allowed: allowed() })
    contentFrom = commentEnd(text, offset)
  }

  const complaint: MarkupReader['complaint'] = ({ message }) => {
    if (fault !== null) return
    const tag = findTag()
    const read = parser.position
    checkGap(Math.min(tag, read))
    if (message.startsWith('unmatched closing tag') || message.startsWith('weird empty close tag')) {
      const written = excerpt(text.slice(tag, read))
      return report({ kind: 'end tag', offset: tag, found: written, allowed: allowed() })
    }
    report(syntaxFault(message, { text, read, tagStart: tag, content: allowed() }))
  }

  const restOfTag = (tag: number): readonly string[] => [
    `the rest of the tag ${excerpt(text.slice(tag, tag + 20))}`,
  ]

  const forbidden = ({ offset, kind, found }: ForbiddenSequence): Finding => {
    const tag = findTag()
    const inTag = tag < offset
    checkGap(Math.min(tag, offset))
    const here = inTag ? restOfTag(tag) : allowed()
    const byKind = {
      character: ['a character that XML 1.0 allows'],
      comment: ['a comment such as <!-- text -->, without -- inside'],
      declaration: here,
      reference: inTag || current.content.kind === 'mixed' ? references : here,
    }
    return fault ?? { kind, offset, found, allowed: byKind[kind] }
  }

  const end = (): Finding | null => {
    const tag = findTag()
    const offset = text.length
    checkGap(tag)
    if (tag < offset) {
      const found = 'the end of the text within a tag'
      report({ kind: 'end of text', offset, found, allowed: restOfTag(tag) })
    } else if (current.rule !== null) {
      const found = `the end of the text before </${current.rule.name}>`
      report({ kind: 'end of text', offset, found, allowed: allowed() })
    }
    return fault
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
    fault: () => fault,
    slots,
  }
}
