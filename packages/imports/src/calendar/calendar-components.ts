/** The components of iCalendar (RFC 5545), with their lines in the file. */
import { E, type Either } from '@publishing-service/domain/fp'
import ICAL from 'ical.js'
import { UnreadableSource } from '../unreadable-source.js'

/** A component as text, from its BEGIN to its END. */
export type Component = {
  /** In upper case, such as `VEVENT`. */
  readonly name: string
  /** The line of its BEGIN. */
  readonly line: number
  readonly text: string
}

export type Property = {
  /** In lower case, such as `dtstart`. */
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** As jCal (RFC 7265) has them: times are `2026-03-01T19:00:00` or, in UTC, `2026-03-01T19:00:00Z`. */
  readonly values: readonly unknown[]
}

const boundary = /^(BEGIN|END):([A-Za-z0-9-]+)[ \t]*$/i

/** The lines of a text with their numbers and places. */
function* linesOf(
  text: string,
): Generator<{ readonly number: number; readonly from: number; readonly line: string }> {
  let from = 0
  for (let number = 1; from < text.length; number += 1) {
    const end = text.indexOf('\n', from)
    const next = end === -1 ? text.length : end + 1
    yield { number, from, line: text.slice(from, next).replace(/\r?\n$/, '') }
    from = next
  }
}

type Open = { readonly name: string; readonly line: number; readonly from: number }

const unreadable = (reason: string, line: number): UnreadableSource =>
  new UnreadableSource(reason, { line, column: 1 })

/** The components in the calendars of a text. Throws an UnreadableSource for another text, and for one that is cut off. */
export function* componentsIn(text: string): Generator<Component> {
  const open: Open[] = []
  let last = 1
  for (const { number, from, line } of linesOf(text)) {
    if (line.trim() === '') continue
    last = number
    const [, edge = '', written = ''] = boundary.exec(line) ?? []
    const [kind, name] = [edge.toUpperCase(), written.toUpperCase()]
    const within = open.at(-1)
    if (within === undefined && !(kind === 'BEGIN' && name === 'VCALENDAR'))
      throw unreadable(`“${line.slice(0, 60)}” is in no calendar: one begins with BEGIN:VCALENDAR`, number)
    if (kind === 'BEGIN') open.push({ name, line: number, from })
    if (kind !== 'END' || within === undefined) continue
    if (within.name !== name)
      throw unreadable(`END:${name}, but line ${within.line} begins ${within.name}, which has no end`, number)
    open.pop()
    if (open.length === 1)
      yield { name, line: within.line, text: text.slice(within.from, from + line.length) }
  }
  const [cut] = open.slice(-1)
  if (cut !== undefined)
    throw unreadable(`the file is cut off: ${cut.name}, which begins at line ${cut.line}, has no end`, last)
  if (last === 1) throw new UnreadableSource('it is no calendar: it is empty')
}

/** Times and rules that some programs write in other forms than iCalendar has. */
const repaired = (line: string): string =>
  /^RRULE[;:]/i.test(line)
    ? line.toUpperCase()
    : // The type of a property that iCalendar does not know.
      line.replace(/^X-ALT-DESC(?=[;:])(?![^:]*;VALUE=)/i, 'X-ALT-DESC;VALUE=TEXT')

const propertyOf = (line: string): Either<string, Property> => {
  const parsed = E.tryCatch(
    (): unknown => ICAL.parse.property(repaired(line)),
    (error) => (error instanceof Error ? error.message : String(error)),
  )
  if (E.isLeft(parsed)) return parsed
  const [name, parameters, , ...values]: readonly unknown[] = Array.isArray(parsed.right) ? parsed.right : []
  return typeof name === 'string' && typeof parameters === 'object' && parameters !== null
    ? E.right({ name: name.toLowerCase(), parameters: { ...parameters }, values })
    : E.left('it is no property')
}

export type ComponentContent = {
  readonly properties: readonly Property[]
  /** The names of the components in it, such as `VALARM`. */
  readonly inner: readonly string[]
  /** Lines that cannot be read. */
  readonly faults: readonly { readonly line: number; readonly message: string }[]
}

/** The properties of a component, without those of the components in it. */
export const contentOf = ({ text, line: first }: Component): ComponentContent => {
  const lines: { number: number; text: string }[] = []
  const inner: string[] = []
  let depth = 0
  for (const { number, line } of linesOf(text)) {
    const [, edge = '', name = ''] = boundary.exec(line) ?? []
    if (edge.toUpperCase() === 'BEGIN') depth += 1
    if (edge.toUpperCase() === 'BEGIN' && depth === 2) inner.push(name.toUpperCase())
    if (edge.toUpperCase() === 'END') depth -= 1
    if (depth !== 1 || edge !== '' || line.trim() === '') continue
    const before = lines.at(-1)
    if (/^[ \t]/.test(line) && before !== undefined) before.text += line.slice(1)
    else lines.push({ number: first + number - 1, text: line })
  }
  const properties: Property[] = []
  const faults: { line: number; message: string }[] = []
  for (const { number, text: written } of lines) {
    const read = propertyOf(written)
    if (E.isRight(read)) properties.push(read.right)
    else faults.push({ line: number, message: read.left })
  }
  return { properties, inner, faults }
}

const named =
  (name: string) =>
  (property: Property): boolean =>
    property.name === name

/** The first property with a name. */
export const propertyIn = ({ properties }: ComponentContent, name: string): Property | undefined =>
  properties.find(named(name))

export const propertiesIn = ({ properties }: ComponentContent, name: string): readonly Property[] =>
  properties.filter(named(name))

/** The texts among the values of a property. */
export const textsOf = (property: Property | undefined): readonly string[] =>
  (property?.values ?? []).filter((value) => typeof value === 'string')

/** The first text of the first property with a name; empty without one. */
export const textIn = (content: ComponentContent, name: string): string =>
  (textsOf(propertyIn(content, name))[0] ?? '').trim()

export const parameterOf = ({ parameters }: Property, name: string): string | null => {
  const value = parameters[name]
  return typeof value === 'string' ? value : null
}
