/**
 * Follows a parser through a body and holds what it reports against the schema. It keeps the first fault and pays no
 * heed to anything that comes after it.
 */
import type { AttributeRule, ContentModel, ElementRule, MarkupSchema } from './body-schema.js'
import { entityNames } from './body-schema.js'
import type { ForbiddenSequence } from './forbidden-sequence.js'
import { linkFault } from './link-fault.js'
import { excerpt, type Finding, type MarkupFaultKind } from './markup-fault.js'
import { syntaxFault } from './syntax-fault.js'

/** One reading of one text. The methods take what the parser reports, in its order. */
export type MarkupReader = {
  /** The name of a tag that opens has been read. */
  readonly startTag: (name: string) => void
  readonly attribute: (name: string, value: string) => void
  /** A tag that opens has been read to its end. */
  readonly open: () => void
  /** The element `name` ends, by a tag of its own, or of whatever name, or within its own tag. */
  readonly close: (name: string, selfClosing: boolean) => void
  readonly complaint: (message: string) => void
  /** The text goes on with a sequence that no body holds. */
  readonly forbidden: (sequence: ForbiddenSequence) => Finding
  /** The text ends here; null where all of it is legal. */
  readonly end: () => Finding | null
  readonly fault: () => Finding | null
  readonly slots: () => readonly string[]
}

const references: readonly string[] = [...entityNames.map((name) => `&${name};`), 'a number such as &#160;']
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const childrenOf = (model: ContentModel): readonly string[] => (model.kind === 'empty' ? [] : model.elements)

/** The first place from `from` on, and before `to`, where something stands that is neither tag nor allowed text. */
const strayText = (text: string, model: ContentModel, from: number, to: number): number | null => {
  if (model.kind === 'mixed' || from >= to) return null
  if (model.kind === 'empty') return from
  const visible = /[^ \t\r\n]/g
  visible.lastIndex = from
  const index = visible.exec(text)?.index ?? to
  return index < to ? index : null
}

// Only XML's own white space: what JavaScript trims beyond it belongs to the text, or to a name.
const withoutTrailingBlanks = (piece: string): string => {
  let end = piece.length
  while (end > 0 && ' \t\r\n'.includes(piece.charAt(end - 1))) end -= 1
  return piece.slice(0, end)
}

const describeText = (text: string, from: number, to: number): string => {
  const piece = text.slice(from, Math.min(to, from + 100))
  return /^[ \t\r\n]/.test(piece) ? 'white space' : `the text "${excerpt(withoutTrailingBlanks(piece))}"`
}

/** Reads `text` along the schema. `position` gives the index behind the last character that the parser has read. */
export const markupReader = (text: string, schema: MarkupSchema, position: () => number): MarkupReader => {
  const rules = new Map(schema.elements.map((rule) => [rule.name, rule]))
  const ancestors: ElementRule[] = []
  const slots = new Set<string>()
  const given = new Set<string>()
  let fault: Finding | null = null
  let opening: ElementRule | undefined
  let tagStart = 0
  let attributesFrom = 0
  let contentFrom = 0

  const model = (): ContentModel => ancestors.at(-1)?.content ?? schema.top
  const fits = (rule: ElementRule): boolean => !ancestors.some(({ name }) => rule.notWithin.includes(name))
  const children = (): readonly ElementRule[] =>
    childrenOf(model()).flatMap((name) => {
      const rule = rules.get(name)
      return rule !== undefined && fits(rule) ? [rule] : []
    })
  const allowed = (): readonly string[] => {
    const last = ancestors.at(-1)
    return [
      ...(model().kind === 'mixed' ? ['text'] : []),
      ...(ancestors.length < schema.maximumDepth ? children().map(({ name }) => `<${name}>`) : []),
      ...(last === undefined ? [] : [`</${last.name}>`]),
    ]
  }
  // Behind the last whole tag the next < can only be that of the tag at hand.
  const findTag = (): number => {
    const index = text.indexOf('<', contentFrom)
    return index === -1 ? text.length : index
  }
  const checkGap = (gapEnd: number): void => {
    const stray = strayText(text, model(), contentFrom, gapEnd)
    if (stray === null) return
    fault ??= { kind: 'text', offset: stray, found: describeText(text, stray, gapEnd), allowed: allowed() }
  }
  const report = (finding: Finding, gapEnd = finding.offset): void => {
    checkGap(gapEnd)
    fault ??= finding
  }

  const valueFault = (
    { value: kind }: AttributeRule,
    value: string,
  ): { readonly kind: MarkupFaultKind; readonly right: string } | null => {
    if (kind === 'text') return null
    if (kind === 'link') {
      const right = linkFault(value)
      return right === null ? null : { kind, right }
    }
    if (!uuid.test(value.toLowerCase()))
      return { kind, right: 'a UUID such as 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11' }
    return slots.has(value.toLowerCase())
      ? { kind: 'repeated slot', right: 'the id of a slot that has no other tag in this text' }
      : null
  }

  const startTag = (name: string): void => {
    if (fault !== null) return
    tagStart = findTag()
    checkGap(tagStart)
    if (fault !== null) return
    const rule = rules.get(name)
    if (rule === undefined || !childrenOf(model()).includes(name) || !fits(rule)) {
      return report({ kind: 'element', offset: tagStart, found: `<${excerpt(name)}>`, allowed: allowed() })
    }
    if (ancestors.length === schema.maximumDepth) {
      const found = `<${name}> nested more than ${schema.maximumDepth} deep`
      return report({ kind: 'depth', offset: tagStart, found, allowed: allowed() })
    }
    opening = rule
    attributesFrom = position()
    given.clear()
  }

  const attribute = (name: string, value: string): void => {
    if (fault !== null || opening === undefined) return
    const start = /[^ \t\r\n]/g
    start.lastIndex = attributesFrom
    const offset = start.exec(text)?.index ?? attributesFrom
    const rule = opening.attributes.find((each) => each.name === name && !given.has(name))
    if (rule === undefined) {
      const left = opening.attributes.filter((each) => !given.has(each.name))
      const found = `the attribute ${excerpt(name)}${given.has(name) ? ' a second time' : ''}`
      return report(
        {
          kind: given.has(name) ? 'repeated attribute' : 'attribute',
          offset,
          found,
          allowed: [...left.map((each) => each.name), 'the end of the tag'],
        },
        tagStart,
      )
    }
    const wrong = valueFault(rule, value)
    if (wrong !== null) {
      const quote = /[^=]*=[ \t\r\n]*["']/y
      quote.lastIndex = offset
      const inQuotes = quote.test(text) ? quote.lastIndex : offset
      const found = `${name}="${excerpt(value)}"`
      return report({ kind: wrong.kind, offset: inQuotes, found, allowed: [wrong.right] }, tagStart)
    }
    if (rule.value === 'slot id') slots.add(value.toLowerCase())
    given.add(name)
    attributesFrom = position()
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
    contentFrom = position()
  }

  const close = (name: string, selfClosing: boolean): void => {
    if (fault !== null) return
    if (!selfClosing) {
      tagStart = findTag()
      checkGap(tagStart)
      const written = withoutTrailingBlanks(text.slice(tagStart + 2, position() - 1))
      if (written !== name)
        report({ kind: 'end tag', offset: tagStart, found: `</${excerpt(written)}>`, allowed: allowed() })
    }
    ancestors.pop()
    contentFrom = position()
  }

  const complaint = (message: string): void => {
    if (fault !== null) return
    const tag = findTag()
    const read = position()
    if (message.startsWith('unmatched closing tag') || message.startsWith('weird empty close tag')) {
      const written = excerpt(text.slice(tag, read))
      return report({ kind: 'end tag', offset: tag, found: written, allowed: allowed() }, tag)
    }
    report(syntaxFault(message, { text, read, tagStart: tag, content: allowed() }), Math.min(tag, read))
  }

  const settled = (finding: Finding, gapEnd: number): Finding => {
    report(finding, gapEnd)
    return fault ?? finding
  }

  const restOfTag = (tag: number): readonly string[] => [
    `the rest of the tag ${excerpt(text.slice(tag, tag + 20))}`,
  ]

  const forbidden = ({ offset, kind, found }: ForbiddenSequence): Finding => {
    const tag = findTag()
    const inTag = tag < offset
    const here = inTag ? restOfTag(tag) : allowed()
    const byKind = {
      character: ['a character that XML 1.0 allows'],
      declaration: here,
      reference: inTag || model().kind === 'mixed' ? references : here,
    }
    return settled({ kind, offset, found, allowed: byKind[kind] }, Math.min(tag, offset))
  }

  const end = (): Finding | null => {
    const tag = findTag()
    const offset = text.length
    const inTag = tag < offset
    const last = ancestors.at(-1)
    if (inTag) {
      const found = 'the end of the text within a tag'
      return settled({ kind: 'end of text', offset, found, allowed: restOfTag(tag) }, tag)
    }
    if (last !== undefined) {
      const found = `the end of the text before </${last.name}>`
      return settled({ kind: 'end of text', offset, found, allowed: allowed() }, offset)
    }
    checkGap(offset)
    return fault
  }

  return {
    startTag,
    attribute,
    open,
    close,
    complaint,
    forbidden,
    end,
    fault: () => fault,
    slots: () => [...slots],
  }
}
