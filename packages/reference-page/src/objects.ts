/** Every object of requests and responses, with the type, the rules and the meaning of each attribute, as Markdown. */
import { formats, type Attribute, type ComputedAttribute } from '@publishing-service/domain/declare'
import { endpoints, namedResource, type Endpoint, type NamedShape } from '@publishing-service/http-contract'
import { describeSchema, formatNames } from './describe-schema.js'
import { table } from './markdown.js'

/** An attribute that clients see. */
type VisibleAttribute = Exclude<Attribute, ComputedAttribute>

const shapesIn = ({ requestPayload, responsePayload, resource }: Endpoint): readonly NamedShape[] => [
  ...(resource === undefined || responsePayload._tag !== 'Rows' ? [] : [namedResource(resource)]),
  ...[requestPayload, responsePayload].flatMap((payload) => {
    if (payload?._tag === 'Object' || payload?._tag === 'Value') return [payload.of]
    if (payload?._tag === 'Items')
      return payload.additional === undefined ? [payload.of] : [payload.of, payload.additional]
    return []
  }),
]

const isVisible = (attribute: Attribute): attribute is VisibleAttribute =>
  attribute.kind !== 'computed' && !(attribute.kind === 'stored' && attribute.internal === true)

/** In the order in which the endpoints mention them. */
const shapes = (): Iterable<NamedShape> => {
  const byName = new Map<string, NamedShape>()
  for (const shape of endpoints.flatMap(shapesIn)) if (!byName.has(shape.name)) byName.set(shape.name, shape)
  return byName.values()
}

/** What it accepts, or returns if it is read-only, with its default. */
const typeOf = (attribute: VisibleAttribute): string => {
  if (attribute.kind === 'derived') return describeSchema(attribute.schema)
  const words = describeSchema(attribute.type.inputSchema ?? attribute.type.schema)
  return attribute.kind === 'alias' || attribute.initial === undefined
    ? words
    : `${words}, default \`${JSON.stringify(attribute.initial)}\``
}

const isReadOnly = (attribute: VisibleAttribute): boolean =>
  attribute.kind === 'derived' || (attribute.kind === 'stored' && attribute.readOnly === true)

const marksOf = (attribute: VisibleAttribute): readonly string[] => [
  ...(attribute.kind === 'stored' && attribute.required === true ? ['Required.'] : []),
  ...(isReadOnly(attribute) ? ['Read only.'] : []),
  ...(attribute.kind === 'stored' && attribute.fixed === true ? ['Cannot be changed later.'] : []),
  ...(attribute.addon === true ? ['Directory add-on.'] : []),
  ...(attribute.visibleTo === undefined ? [] : [`From \`${attribute.visibleTo}\`.`]),
  ...(attribute.only === undefined ? [] : [`Only for ${attribute.only.join(', ')}.`]),
  ...(attribute.deprecated === undefined ? [] : [`Deprecated. ${attribute.deprecated}`]),
]

const objectPart = ({ name, description, shape, extends: base }: NamedShape): string => {
  const isInBase = (attribute: string): boolean =>
    base !== undefined && Object.hasOwn(base.shape.attributes, attribute)
  const rows = Object.entries(shape.attributes).flatMap(([attribute, declared]) =>
    isVisible(declared) && !isInBase(attribute)
      ? [
          [
            `\`${attribute}\` {#${name}.${attribute}}`,
            typeOf(declared),
            [declared.description, ...marksOf(declared)].join(' '),
          ],
        ]
      : [],
  )
  return `## ${name} {#${name}}\n\n${description}\n\n${table(['Attribute', 'Type', 'Meaning'], rows)}`
}

export const objectParts = (): string => Array.from(shapes(), objectPart).join('\n\n')

export const formatTable = (): string =>
  table(
    ['Format', 'Meaning'],
    (Object.entries(formats) as readonly (readonly [keyof typeof formats, string])[]).map(
      ([name, description]) => [formatNames[name], description],
    ),
  )
