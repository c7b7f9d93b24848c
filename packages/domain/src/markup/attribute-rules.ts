/** The rules of attributes and of their values. */
import { E, type Either } from '../fp.js'
import { dangerousAttributes, type AttributeRule, type AttributeValue } from './body-schema.js'
import { imageCandidates, linkFault, schemeDanger } from './link-fault.js'
import type { MarkupFaultKind } from './markup-fault.js'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const integer = /^-?[0-9]{1,10}$/

/** Why an attribute with this name is never accepted; undefined if its element decides that. */
export const dangerOf = (attribute: string): string | undefined =>
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
