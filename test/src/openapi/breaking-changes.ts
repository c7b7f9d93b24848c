/**
 * Changes of the API document that break existing clients: requests that are no longer accepted, or responses that
 * were not documented before.
 */
import { isJsonObject, jsonEqual, type Json, type JsonObject } from '@publishing-service/domain/json'
import { roles } from '@publishing-service/domain/roles'

/** Valid requests must stay valid. Responses must stay within the earlier document. */
type Direction = 'sent' | 'received'

type Pair = { readonly before: JsonObject; readonly after: JsonObject }

type Report = (change: string) => void

const objectAt = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const listAt = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const resolve = (document: JsonObject, part: JsonObject): JsonObject => {
  const { $ref: reference } = part
  if (typeof reference !== 'string') return part
  return reference
    .slice(2)
    .split('/')
    .reduce<JsonObject>((found, name) => objectAt(found[name]), document)
}

const nameOf = ({ $ref: reference }: JsonObject): string | null =>
  typeof reference === 'string' ? (reference.split('/').at(-1) ?? null) : null

const typesOf = ({ type }: JsonObject): readonly Json[] =>
  Array.isArray(type) ? type : type === undefined ? ['any'] : [type]

/** The supported schema keywords: those that are compared, and those that break no client. */
export const knownKeywords: ReadonlySet<string> = new Set(
  `$ref type enum pattern format minimum minLength minItems maximum maxLength maxItems properties
required oneOf anyOf items prefixItems additionalProperties description default deprecated discriminator readOnly writeOnly`.split(
    /\s+/,
  ),
)

/** Lower and upper bounds. Values outside of the earlier bounds were not possible before. */
const lower = ['minimum', 'minLength', 'minItems'] as const
const upper = ['maximum', 'maxLength', 'maxItems'] as const

/** Formats that accept all values of the earlier format. */
const widerFormats: Readonly<Record<string, string>> = {
  markup: 'markup-or-text',
  email: 'email-addresses',
  digits: 'facebook-name',
  'web-address': 'web-address-or-path',
}

const isWider = ({ before, after }: Pair): boolean =>
  typeof before['format'] === 'string' && widerFormats[before['format']] === after['format']

const limitChanges = ({ before, after }: Pair, place: string, report: Report): void => {
  for (const name of lower) {
    const [was, is] = [before[name], after[name]]
    if (typeof is === 'number' && (typeof was !== 'number' || is > was)) report(`${place}: ${name} is ${is}`)
  }
  for (const name of upper) {
    const [was, is] = [before[name], after[name]]
    if (typeof is === 'number' && (typeof was !== 'number' || is < was)) report(`${place}: ${name} is ${is}`)
  }
  if (isWider({ before, after })) return
  for (const name of ['pattern', 'format'] as const)
    if (after[name] !== undefined && after[name] !== before[name])
      report(`${place}: ${name} is ${String(after[name])}`)
}

/**
 * The alternatives of a schema that is only a union, including those of nested unions. Empty for other schemas.
 */
const alternativesOf = (document: JsonObject, schema: JsonObject): readonly JsonObject[] =>
  schema['type'] !== undefined || schema['anyOf'] === undefined
    ? []
    : listAt(schema['anyOf']).flatMap((each) => {
        const within = alternativesOf(document, resolve(document, objectAt(each)))
        return within.length === 0 ? [objectAt(each)] : within
      })

/** Compares sets of values or types. Removed ones are no longer accepted; added ones were not documented. */
const setChanges = (
  was: readonly Json[],
  is: readonly Json[],
  direction: Direction,
  place: string,
  report: Report,
): void => {
  const has = (list: readonly Json[], value: Json) => list.some((each) => jsonEqual(each, value))
  if (direction === 'sent')
    for (const each of was) if (!has(is, each)) report(`${place}: ${String(each)} is no longer accepted`)
  if (direction === 'received')
    for (const each of is) if (!has(was, each)) report(`${place}: ${String(each)} may be returned`)
}

/** Compares the schemas of two documents. Each pair of named schemas is compared once per direction. */
const schemaComparison = (documents: Pair, report: Report) => {
  const seen = new Set<string>()

  const compareProperties = ({ before, after }: Pair, direction: Direction, place: string): void => {
    const [was, is] = [objectAt(before['properties']), objectAt(after['properties'])]
    const [had, has] = [listAt(before['required']), listAt(after['required'])]
    for (const [name, property] of Object.entries(was)) {
      if (is[name] === undefined) report(`${place}.${name}: is removed`)
      else compare({ before: objectAt(property), after: objectAt(is[name]) }, direction, `${place}.${name}`)
      if (direction === 'received' && had.includes(name) && is[name] !== undefined && !has.includes(name))
        report(`${place}.${name}: may be absent`)
    }
    if (direction === 'sent')
      for (const name of has) if (!had.includes(name)) report(`${place}.${String(name)}: is required`)
  }

  const compareVariants = ({ before, after }: Pair, direction: Direction, place: string): void => {
    for (const word of ['oneOf', 'anyOf'] as const) {
      const [was, is] = [listAt(before[word]).map(objectAt), listAt(after[word]).map(objectAt)]
      if (was.length === 0 && is.length === 0) continue
      // Without variants, any value that fits the rest of the schema is accepted.
      if (is.length === 0 && direction === 'sent') continue
      if (was.length === 0 && direction === 'sent') report(`${place}: ${word} is required`)
      const keyOf = (variant: JsonObject, index: number) => nameOf(variant) ?? String(index)
      setChanges(was.map(keyOf), is.map(keyOf), direction, place, report)
      was.forEach((variant, index) => {
        const now = is.find((each, other) => keyOf(each, other) === keyOf(variant, index))
        if (now !== undefined) compare({ before: variant, after: now }, direction, place)
      })
    }
  }

  /**
   * Requests stay valid if, for each type, one of the alternatives accepts everything that was accepted before.
   */
  const compareWithUnion = (before: JsonObject, alternatives: readonly JsonObject[], place: string): void => {
    for (const type of typesOf(before)) {
      const narrowed = type === 'null' ? { type } : { ...before, type }
      const attempts = alternatives
        .filter((each) => typesOf(resolve(documents.after, each)).includes(type))
        .map((after) => {
          const changes: string[] = []
          schemaComparison(documents, (change) => changes.push(change))(
            { before: narrowed, after },
            'sent',
            place,
          )
          return changes
        })
      const [best = [`${place}: ${String(type)} is no longer accepted`]] = attempts.toSorted(
        (one, other) => one.length - other.length,
      )
      best.forEach(report)
    }
  }

  const compare = (pair: Pair, direction: Direction, place: string): void => {
    const name = nameOf(pair.before)
    const here = name ?? place
    if (name !== null) {
      if (seen.has(`${direction} ${name}`)) return
      seen.add(`${direction} ${name}`)
    }
    const before = resolve(documents.before, pair.before)
    const after = resolve(documents.after, pair.after)
    if (direction === 'sent' && Object.keys(after).every((word) => word === 'description')) return
    const alternatives = alternativesOf(documents.after, after)
    if (direction === 'sent' && before['anyOf'] === undefined && alternatives.length > 0) {
      compareWithUnion(before, alternatives, here)
      return
    }
    setChanges(typesOf(before), typesOf(after), direction, here, report)
    const [was, is] = [before['enum'], after['enum']]
    if (was !== undefined && is !== undefined) setChanges(listAt(was), listAt(is), direction, here, report)
    else if (direction === 'sent' && is !== undefined)
      report(`${here}: only ${listAt(is).join(', ')} are accepted`)
    else if (direction === 'received' && was !== undefined) report(`${here}: any value may be returned`)
    if (direction === 'sent') limitChanges({ before, after }, here, report)
    compareProperties({ before, after }, direction, here)
    compareVariants({ before, after }, direction, here)
    for (const word of ['items', 'additionalProperties'] as const)
      if (isJsonObject(before[word]))
        compare({ before: before[word], after: objectAt(after[word]) }, direction, `${here}[]`)
    listAt(before['prefixItems']).forEach((item, index) =>
      compare(
        { before: objectAt(item), after: objectAt(listAt(after['prefixItems'])[index]) },
        direction,
        `${here}[${index}]`,
      ),
    )
  }
  return compare
}

const contentChanges = (
  { before, after }: Pair,
  direction: Direction,
  place: string,
  compare: ReturnType<typeof schemaComparison>,
  report: Report,
): void => {
  for (const [type, media] of Object.entries(objectAt(before['content']))) {
    const now = objectAt(after['content'])[type]
    if (now === undefined) report(`${place}: ${type} is removed`)
    else
      compare(
        { before: objectAt(objectAt(media)['schema']), after: objectAt(objectAt(now)['schema']) },
        direction,
        place,
      )
  }
}

const roleNeededBy = (operation: JsonObject): number => {
  const [requirement] = listAt(operation['security'])
  const [scopes] = Object.values(objectAt(requirement))
  return roles.findIndex((role) => role === listAt(scopes)[0])
}

const operationComparison = (documents: Pair, report: Report) => {
  const compare = schemaComparison(documents, report)
  const [beforeOf, afterOf] = [documents.before, documents.after].map(
    (document) => (part: Json | undefined) => resolve(document, objectAt(part)),
  ) as [(part: Json | undefined) => JsonObject, (part: Json | undefined) => JsonObject]

  const compareParameters = ({ before, after }: Pair, place: string): void => {
    const keyOf = (parameter: JsonObject) => `${String(parameter['in'])} ${String(parameter['name'])}`
    const was = new Map(
      listAt(before['parameters'])
        .map(beforeOf)
        .map((each) => [keyOf(each), each]),
    )
    const is = new Map(
      listAt(after['parameters'])
        .map(afterOf)
        .map((each) => [keyOf(each), each]),
    )
    for (const [key, parameter] of was) {
      const now = is.get(key)
      if (now === undefined) report(`${place} ${key}: is removed`)
      else
        compare(
          { before: objectAt(parameter['schema']), after: objectAt(now['schema']) },
          'sent',
          `${place} ${key}`,
        )
    }
    for (const [key, parameter] of is)
      if (parameter['required'] === true && was.get(key)?.['required'] !== true)
        report(`${place} ${key}: is required`)
  }

  const compareResponses = ({ before, after }: Pair, place: string): void => {
    const [was, is] = [objectAt(before['responses']), objectAt(after['responses'])]
    for (const status of Object.keys(is))
      if (/^[23]/.test(status) && was[status] === undefined) report(`${place} ${status}: may be returned`)
    for (const [status, response] of Object.entries(was)) {
      if (is[status] === undefined || !status.startsWith('2')) continue
      const pair = { before: beforeOf(response), after: afterOf(is[status]) }
      contentChanges(pair, 'received', `${place} ${status}`, compare, report)
      for (const name of Object.keys(objectAt(pair.before['headers'])))
        if (objectAt(pair.after['headers'])[name] === undefined)
          report(`${place} ${status} ${name}: is removed`)
    }
  }

  return (pair: Pair): void => {
    const { before, after } = pair
    const place = String(before['operationId'])
    if (after['operationId'] !== before['operationId'])
      report(`${place}: is called ${String(after['operationId'])}`)
    if (roleNeededBy(after) > roleNeededBy(before))
      report(`${place}: needs the role ${String(roles[roleNeededBy(after)])}`)
    compareParameters(pair, place)
    const [was, is] = [objectAt(before['requestBody']), objectAt(after['requestBody'])]
    if (is['required'] === true && was['required'] !== true) report(`${place} body: is required`)
    contentChanges({ before: was, after: is }, 'sent', `${place} body`, compare, report)
    compareResponses(pair, place)
  }
}

/** One line per breaking change, in the order of the earlier document. */
export const breakingChanges = (before: JsonObject, after: JsonObject): readonly string[] => {
  const changes = new Set<string>()
  const compare = operationComparison({ before, after }, (change) => changes.add(change))
  for (const [path, item] of Object.entries(objectAt(before['paths'])))
    for (const [method, operation] of Object.entries(objectAt(item))) {
      const now = objectAt(objectAt(after['paths'])[path])[method]
      if (now === undefined) changes.add(`${String(objectAt(operation)['operationId'])}: is removed`)
      else compare({ before: objectAt(operation), after: objectAt(now) })
    }
  return [...changes]
}
