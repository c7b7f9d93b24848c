import {
  fieldsOf,
  pageLimits,
  resourceOf,
  type JsonObject,
  type Queryable,
  type Schema,
} from '@publishing-service/domain'
import { queryableOf, type Endpoint } from '../endpoint.js'
import { pathParameters } from '../path-parameters.js'
import { pascalCase } from '../payload.js'
import { requestHeaderParameters } from '../request-header-parameters.js'
import type { Components } from './components.js'

/** A list in a query: its items joined by commas; hyphens do the same. */
const query = (name: string, description: string, schema: Schema): JsonObject => ({
  name,
  in: 'query',
  description,
  ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
  schema: schema,
})

const pathNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

const pathParameter = (components: Components, { permission }: Endpoint, name: string): JsonObject => {
  const declared = pathParameters[name]
  if (declared === undefined) throw new Error(`nothing is declared of the path parameter ${name}`)
  const words = name === 'uuid' && permission !== null ? resourceOf(permission.subject)?.words : undefined
  if (words === undefined)
    return components.refer('parameters', name, () => ({
      name,
      in: 'path',
      required: true,
      description: declared.description,
      schema: declared.schema,
    }))
  return components.refer('parameters', `${name}OrWord`, () => ({
    name,
    in: 'path',
    required: true,
    description: `${declared.description} Also one of the words ${Object.keys(words).join(', ')}.`,
    schema: {
      anyOf: [declared.schema, { type: 'string', enum: Object.keys(words) }],
    },
  }))
}

const counted = (maximum: number, initial: number): JsonObject => ({
  type: 'integer',
  minimum: 1,
  maximum,
  default: initial,
})

const rowParameters = (components: Components, name: string, rows: Queryable): readonly JsonObject[] => {
  const options = Object.keys(rows.orders)
  const named = (parameter: string, make: () => JsonObject) =>
    components.refer(
      'parameters',
      parameter === 'page' || parameter === 'rpp' ? parameter : `${name}${pascalCase(parameter)}`,
      make,
    )
  return [
    named('fields', () =>
      query('fields', 'The attributes of each row, joined by commas or hyphens; `url` unless sent.', {
        type: 'array',
        items: { type: 'string', enum: [...fieldsOf(rows).keys()] },
        minItems: 1,
        maxItems: pageLimits.fields,
      }),
    ),
    ...(options.length === 0
      ? []
      : [
          named('order', () =>
            query(
              'order',
              'What the rows are ordered by, joined by commas or hyphens, each with `.asc` (unless said) or `.desc`; ties, and all without order, by creation.',
              {
                type: 'array',
                items: {
                  type: 'string',
                  enum: options.flatMap((option) => [option, `${option}.asc`, `${option}.desc`]),
                },
                minItems: 1,
                maxItems: pageLimits.orders,
              },
            ),
          ),
        ]),
    named('page', () => ({
      name: 'page',
      in: 'query',
      description: 'Number of the page, from 1.',
      schema: counted(pageLimits.maxPage, 1),
    })),
    named('rpp', () => ({
      name: 'rpp',
      in: 'query',
      description: 'Rows on a page.',
      schema: counted(pageLimits.maxRpp, pageLimits.rpp),
    })),
    ...Object.entries(rows.filters).map(([filter, { description, schema }]) =>
      named(filter, () => query(filter, description, schema)),
    ),
  ]
}

const headerParameters = (components: Components, endpoint: Endpoint): readonly JsonObject[] =>
  Object.entries(requestHeaderParameters)
    .filter(([, { appliesTo }]) => appliesTo(endpoint))
    .map(([name, { description, schema }]) =>
      components.refer('parameters', name, () => ({
        name,
        in: 'header',
        description,
        schema: schema,
      })),
    )

/** The parameters of an endpoint: those of its path, its query, and the headers that it looks at. */
export const parametersOf = (components: Components, endpoint: Endpoint): readonly JsonObject[] => {
  const rows = queryableOf(endpoint)
  return [
    ...pathNames(endpoint.path).map((name) => pathParameter(components, endpoint, name)),
    ...(rows === undefined ? [] : rowParameters(components, endpoint.id.replace(/^list/, ''), rows)),
    ...endpoint.parameters.map(({ name, description, schema }) => query(name, description, schema)),
    ...headerParameters(components, endpoint),
  ]
}
