import { resourceOf } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Schema } from '@publishing-service/domain/declare'
import {
  countLimits,
  fieldsOf,
  hasFacets,
  includeLimits,
  includeNamesOf,
  nearestOf,
  orderOptionsOf,
  pageLimits,
  placeSchema,
  selectedFilters,
  selectedOrders,
  selectionOf,
  type Queryable,
} from '@publishing-service/domain/lists'
import { includingOf, queryableOf, type Endpoint } from '../endpoint.js'
import { pathParameters } from '../path-parameters.js'
import { pascalCase } from '../payload.js'
import { requestHeaderParameters } from '../request-header-parameters.js'
import type { Components } from './components.js'
import { exampleParameters } from './examples/example-parameters.js'

/** A parameter with its name as a shared component. */
type Parameter = { readonly shared: string; readonly definition: JsonObject }

/** A list in a query: its items are joined by commas or hyphens. */
const query = (
  shared: string,
  name: string,
  description: string,
  schema: Schema | JsonObject,
): Parameter => ({
  shared,
  definition: {
    name,
    in: 'query',
    description,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  },
})

const pathNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

const pathParameter = ({ permission }: Endpoint, name: string): Parameter => {
  const declared = pathParameters[name]
  if (declared === undefined) throw new Error(`the path parameter ${name} is not declared`)
  const { description, schema, example } = declared
  const resource = permission === null ? undefined : resourceOf(permission.subject)
  const words = name === 'uuid' ? Object.keys(resource?.given?.words ?? {}) : []
  const common = { name, in: 'path', required: true }
  return words.length === 0
    ? {
        shared: name,
        definition: { ...common, description, schema, ...(example === undefined ? {} : { example }) },
      }
    : {
        shared: `${name}OrWord`,
        definition: {
          ...common,
          description: `${description} Also one of the words ${words.join(', ')}.`,
          schema: { anyOf: [schema, { type: 'string', enum: words }] },
        },
      }
}

/** The description of order options that need a filter. */
const conditionsOf = (rows: Queryable): string => {
  const nearest = nearestOf(rows)
  const selection = nearest?.of === undefined ? '' : `\`${selectionOf(nearest.of)}\` and `
  return Object.entries(selectedOrders(rows))
    .map(([option, { of }]) => ` \`${option}\` needs \`${selectionOf(of)}\`.`)
    .concat(
      nearest === undefined
        ? []
        : ` \`${nearest.option}\` needs ${selection}\`${nearest.filter}\`, and is the only option: the nearest rows come first.`,
    )
    .join('')
}

const counted = (
  shared: string,
  name: string,
  description: string,
  maximum: number,
  initial: number,
): Parameter => query(shared, name, description, { type: 'integer', minimum: 1, maximum, default: initial })

// The commas of a list are between its items here.
const includedAttributesPattern = '^[a-z_]+(\\.[a-z_]+)?\\([a-z_]+(-[a-z_]+)*\\)$'

/** Its items are a component: generators for Go name no type for a choice within a parameter. */
const includeParameter = (components: Components, whose: string, names: readonly string[]): Parameter =>
  query(
    `${whose}Include`,
    'include',
    'The objects to return in `included`: names of references, joined by commas or hyphens; `.` continues from an included object. Attributes in brackets, such as `section(title,path)`, are all that is returned of it.',
    {
      type: 'array',
      items: components.refer('schemas', `${whose}Included`, () => ({
        description: 'The name of a reference, or of one with attributes in brackets.',
        anyOf: [
          { type: 'string', enum: names },
          { type: 'string', format: 'included-attributes', pattern: includedAttributesPattern },
        ],
      })),
      minItems: 1,
      maxItems: includeLimits.names,
    },
  )

/** The query parameters of rows; `whose` is the prefix of their names as components. */
const rowParameters = (whose: string, rows: Queryable): readonly Parameter[] => {
  const own = (name: string, description: string, schema: Schema): Parameter =>
    query(`${whose}${pascalCase(name)}`, name, description, schema)
  return [
    own(
      'fields',
      `The attributes of each row, joined by commas or hyphens; \`${(rows.initialFields ?? ['url']).join(',')}\` by default.`,
      {
        type: 'array',
        items: { type: 'string', enum: [...fieldsOf(rows).keys()] },
        minItems: 1,
        maxItems: pageLimits.fields,
      },
    ),
    ...(Object.keys(rows.orders).length === 0
      ? []
      : [
          own(
            'order',
            `The order of the rows: options joined by commas or hyphens, each with \`.asc\` (the default) or \`.desc\`; ties, and rows without order, are in the order of creation.${conditionsOf(rows)}`,
            {
              type: 'array',
              items: { type: 'string', enum: orderOptionsOf(rows) },
              minItems: 1,
              maxItems: pageLimits.orders,
            },
          ),
        ]),
    counted('PageNumber', 'page', 'Number of the page, from 1.', pageLimits.maxPage, 1),
    own(
      'after',
      'Where the page starts: only as a link to the page has it. Without it, or with the number of another page, the rows before the page are counted.',
      placeSchema,
    ),
    counted(
      'RowsPerPage',
      'rpp',
      `Maximum number of rows on a page; a page has at most ${pageLimits.bytes} bytes of JSON.`,
      pageLimits.maxRpp,
      pageLimits.rpp,
    ),
    ...(rows.facets === undefined
      ? []
      : [
          query(
            'Total',
            'total',
            `Whether the response has the number of all rows, exact up to ${countLimits.exact}, in \`total\`.`,
            { type: 'boolean', default: false },
          ),
        ]),
    ...(hasFacets(rows)
      ? [
          own(
            'facets',
            `What is counted of all rows, in \`facets\`: names joined by commas or hyphens; the ${countLimits.values} most frequent values of each.`,
            {
              type: 'array',
              items: { type: 'string', enum: Object.keys(rows.facets ?? {}) },
              minItems: 1,
            },
          ),
        ]
      : []),
    ...Object.entries(rows.filters).map(([name, { description, schema }]) => own(name, description, schema)),
    ...Object.entries(selectedFilters(rows)).map(([name, { value, of }]) =>
      own(name, `${value.description} Needs \`${selectionOf(of)}\`.`, value.schema),
    ),
  ]
}

const headerParameters = (endpoint: Endpoint): readonly Parameter[] =>
  Object.entries(requestHeaderParameters)
    .filter(([, { appliesTo }]) => appliesTo(endpoint))
    .map(([name, { description, schema }]) => ({
      shared: name,
      definition: { name, in: 'header', description, schema },
    }))

/** Converts an example in an address to a value of the schema. */
const valueOf = (text: string | number, { schema }: JsonObject): Json => {
  const { type } = schema as Schema
  if (type === 'array') return String(text).split(',')
  return type === 'integer' ? Number(text) : text
}

/** The parameters of an endpoint: those of its path, its query and its headers. */
export const parametersOf = (components: Components, endpoint: Endpoint): readonly JsonObject[] => {
  const { id, path, parameters } = endpoint
  const rows = queryableOf(endpoint)
  const including = includingOf(endpoint)
  const examples = exampleParameters(endpoint)
  const own = [
    ...pathNames(path).map((name) => pathParameter(endpoint, name)),
    ...(rows === undefined ? [] : rowParameters(id.replace(/^list/, ''), rows)),
    ...(including === undefined
      ? []
      : [
          includeParameter(components, pascalCase(id).replace(/^(List|Read)/, ''), includeNamesOf(including)),
        ]),
    ...parameters.map(({ name, description, schema }) =>
      query(`${pascalCase(id)}${pascalCase(name)}`, name, description, schema),
    ),
    ...headerParameters(endpoint),
  ]
  return own.map(({ shared, definition }) => {
    const example = examples[String(definition['name'])]
    return example === undefined
      ? components.refer('parameters', shared, () => definition)
      : { ...definition, example: valueOf(example, definition) }
  })
}
