/**
 * Query parameters of every endpoint: invalid, unknown, repeated, badly encoded (docs/behaviour/errors.md,
 * docs/behaviour/collections.md, docs/behaviour/files.md).
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Schema } from '@publishing-service/domain/declare'
import {
  fieldsOf,
  includeLimits,
  hasFacets,
  includeNamesOf,
  pageLimits,
  placeText,
  type Queryable,
} from '@publishing-service/domain/lists'
import { includingOf, needsToken, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { expectFaults, expectStatus, infoOf } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { useFixture, type Fixture } from './service-fixture.js'
import { isLimited, statusOf, testEndpoints } from './test-endpoints.js'

/** A parameter with a valid value and some invalid ones, percent-encoded. */
type ParameterCase = { readonly name: string; readonly valid: string; readonly invalid: readonly string[] }

const bytes = ['%00', '%FF', '%C0%AF', '%zz', '%', '%E2%82', '%F0%9F%98%80', '%0d%0aX-Evil:1', '%3Cscript%3E']
const numbers = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  'x',
  '%201',
  '1%20',
  '+1',
  '%D9%A3',
  'NaN',
  'Infinity',
  'null',
  '1,2',
  '[1]',
  '01e0',
  '9'.repeat(400),
  ...bytes,
]
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

const fieldsCase = (queryable: Queryable): ParameterCase => {
  const [valid = 'url'] = fieldsOf(queryable).keys()
  const hidden = Object.keys(queryable.attributes).filter((name) => !fieldsOf(queryable).has(name))
  const around = [
    `${valid}-`,
    `-${valid}`,
    `${valid},,${valid}`,
    `${valid}%20`,
    `${valid};${valid}`,
    valid.toUpperCase(),
    `${valid}.asc`,
  ]
  const many = Array.from({ length: pageLimits.fields + 1 }, () => valid).join('-')
  return {
    name: 'fields',
    valid,
    invalid: ['', '-', 'x', '*', many, ...around, ...hidden, ...inherited, ...bytes],
  }
}

const includeCase = (names: readonly string[]): ParameterCase => {
  const [valid = ''] = names
  const many = names.slice(0, includeLimits.names + 1).join('-')
  return {
    name: 'include',
    valid,
    invalid: [
      '',
      '-',
      'x',
      '*',
      `${valid}_uuid`,
      `${valid}.`,
      `.${valid}`,
      `${valid},,${valid}`,
      `${valid}.x`,
      `${valid}.parent.parent`,
      valid.toUpperCase(),
      ...['(', ')', '()', '(x)', '(uuid', '(uuid)x', '(uuid(uuid))'].map((brackets) => `${valid}${brackets}`),
      '(uuid)',
      ...(names.length > includeLimits.names ? [many] : []),
      ...inherited,
      ...bytes,
    ],
  }
}

const orderCase = (queryable: Queryable): ParameterCase => {
  const names = Object.keys(queryable.orders)
  const around = names.flatMap((name) => [
    `${name}.`,
    `${name}.up`,
    `${name}.asc.asc`,
    `.${name}`,
    `${name}-`,
    `${name}%20desc`,
    `${name}.ASC`,
    `${name};--`,
  ])
  const many = Array.from({ length: pageLimits.orders + 1 }, () => names[0] ?? 'x').join('-')
  return {
    name: 'order',
    valid: names[0] ?? '',
    invalid: ['', '-', '.', 'x', '.asc', many, 'title_order', ...around, ...inherited, ...bytes],
  }
}

const id = randomUUID()

const byFormat: Readonly<Record<string, Omit<ParameterCase, 'name'>>> = {
  uuids: {
    valid: id,
    invalid: [
      '',
      '_',
      'x',
      `${id}-${id}`,
      `${id}_`,
      `_${id}`,
      `${id}__${id}`,
      `${id},${id}`,
      id.slice(1),
      `%7B${id}%7D`,
      Array.from({ length: 101 }, () => id).join('_'),
      ...bytes,
    ],
  },
  // Any text is valid that has no empty parts and is not too long.
  texts: {
    valid: 'x',
    invalid: ['', '_', 'x_', '_x', 'x__x', 'x'.repeat(256), 'x_'.repeat(100) + 'x'],
  },
  'object-ids': { valid: 'x', invalid: ['', 'x%20y', 'x.y', '%C3%A4', 'x'.repeat(3701)] },
  integers: {
    valid: '1',
    invalid: ['', '_', '1_', '_1', '1__1', '1_x', '1-2', ...numbers, '1_'.repeat(100) + '1'],
  },
  text: { valid: 'x', invalid: ['x'.repeat(256)] },
  'site-path': { valid: '/', invalid: ['', 'x', 'news/', 'https://example.org/', ...bytes] },
  words: {
    valid: 'x',
    invalid: ['', '-', '%20', '!', '""', '%00', '%F0%9F%98%80', 'x'.repeat(1001), 'x%20'.repeat(33)],
  },
  circle: {
    valid: '48.21,16.37,5',
    invalid: [
      '',
      'x',
      '1,2',
      '1,2,3,4',
      '91,0,1',
      '0,181,1',
      '0,0,0',
      '0,0,1001',
      '0,0,-1',
      '1e1,0,1',
      '%201,1,1',
      ...bytes,
    ],
  },
  'focal-point': {
    valid: '0.5,0.33',
    invalid: ['', 'x', '0.5', '0,0,0', '1.1,0', '-0.1,0', '.5,.5', '%200,0', '1e1,0', ...bytes],
  },
  'page-place': {
    valid: placeText(1, [[null], null]),
    invalid: ['', 'x', '1', 'W10', '%5B1%2C%5B1%5D%2Cnull%5D', ...bytes],
  },
  'feed-place': { valid: 'now', invalid: ['', 'x', 'NOW', '1-1', '1-1-1-1', '1-zzzzzzzzzzzz-1', ...bytes] },
  period: {
    valid: '2024-01-01_2024-02-01',
    invalid: [
      '',
      'x',
      '2024-01-01',
      'x_',
      '_x',
      '2024-02-30_',
      '_2024-13-01',
      '2024-01-01T25:00_',
      '2024-01-01_2024-02-01_2024-03-01',
      '1-1_',
      '2024-01-01,2024-02-01',
      ...bytes,
    ],
  },
}

const words = { valid: '', invalid: ['', '-', ',', '%20', 'x%20y', '../x', 'x_y', '7', ...bytes] }

const booleans = {
  valid: 'true',
  invalid: ['', '1', '0', 'x', 'TRUE', 'True', 'yes', 'null', 'true_false', ...bytes],
}

const filterCase = (name: string, { type, enum: choices, format }: Schema): ParameterCase => {
  if (type === 'array') return { name, ...words }
  if (type === 'boolean') return { name, ...booleans }
  if (choices !== undefined) {
    const [valid = ''] = choices
    return {
      name,
      valid,
      invalid: ['', 'x', valid.toUpperCase(), `${valid}-${valid}`, choices.join(','), ...inherited, ...bytes],
    }
  }
  const trial = byFormat[format ?? '']
  if (trial === undefined) throw new Error(`no invalid values for a filter of the format ${String(format)}`)
  return { name, ...trial }
}

const caseOf = (name: string, schema: Schema): ParameterCase => {
  const { type, enum: choices, format, minimum = 1, maximum = 0 } = schema
  if (type === 'integer')
    return {
      name,
      valid: String(minimum),
      invalid: [
        '',
        String(minimum - 1),
        String(maximum + 1),
        ...numbers.filter((each) => each !== String(minimum)),
      ],
    }
  if (choices === undefined && format === 'uuid')
    return { name, valid: id, invalid: ['', 'x', `${id}_${id}`, id.slice(1), `%7B${id}%7D`, ...bytes] }
  return filterCase(name, schema)
}

const facetsCase = (names: readonly string[]): ParameterCase => ({
  name: 'facets',
  valid: names.join('-'),
  invalid: ['', '-', 'x', 'url', 'section_uuid', `${names[0] ?? ''},`, ...inherited, ...bytes],
})

const listCases = (queryable: Queryable): readonly ParameterCase[] => [
  fieldsCase(queryable),
  orderCase(queryable),
  { name: 'page', valid: '1', invalid: ['', String(pageLimits.maxPage + 1), ...numbers] },
  { name: 'rpp', valid: '20', invalid: ['', String(pageLimits.maxRpp + 1), ...numbers] },
  ...(queryable.facets === undefined ? [] : [{ name: 'total', ...booleans }]),
  ...(hasFacets(queryable) ? [facetsCase(Object.keys(queryable.facets ?? {}))] : []),
  ...Object.entries(queryable.filters).map(([name, { schema }]) => filterCase(name, schema)),
]

/** The declared parameters of an endpoint. */
const parameterCases = (endpoint: Endpoint): readonly ParameterCase[] => {
  const own = endpoint.parameters.map(({ name, schema }) => caseOf(name, schema))
  const rows = queryableOf(endpoint)
  const including = includingOf(endpoint)
  return [
    ...(rows === undefined ? [] : listCases(rows)),
    ...(including === undefined ? [] : [includeCase(includeNamesOf(including))]),
    ...own,
  ]
}

/** Browsers that are led from page to page receive no faults. */
const hasParameters = (endpoint: Endpoint): boolean =>
  endpoint.kind !== 'service' && parameterCases(endpoint).length > 0
const isList = (endpoint: Endpoint): boolean => queryableOf(endpoint) !== undefined

describe('query parameters', () => {
  let fixture: Fixture
  useFixture((started) => {
    fixture = started
  })

  const send = (
    endpoint: Endpoint,
    query: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiResponse> => {
    const replaced = endpoint.method === 'DELETE' ? { uuid: id, slot_uuid: id } : {}
    return fixture.send(endpoint, { path: `${fixture.address(endpoint, replaced)}?${query}`, headers })
  }

  testEndpoints(
    'reports each invalid value under its name',
    { filter: hasParameters, sample: 15 },
    async (endpoint) => {
      for (const { name, invalid } of parameterCases(endpoint))
        for (const value of invalid) {
          const message = expectFaults(await send(endpoint, `${name}=${value}`), name)[name]
          expect(message, value).to.have.length.below(2500)
        }
    },
  )

  testEndpoints('reports all invalid values together', { filter: hasParameters }, async (endpoint) => {
    const all = parameterCases(endpoint).map(({ name, invalid: [first = ''] }) => `${name}=${first}`)
    expectFaults(await send(endpoint, all.join('&')), ...parameterCases(endpoint).map(({ name }) => name))
  })

  testEndpoints('rejects a repeated parameter', { filter: hasParameters, sample: 20 }, async (endpoint) => {
    for (const { name, valid } of parameterCases(endpoint)) {
      expectFaults(await send(endpoint, `${name}=${valid}&${name}=${valid}`), name)
      expectFaults(await send(endpoint, `${name}=${valid}&x=1&${name}=x&${name}=`), name)
    }
  })

  const unknownParameters = [
    'x=1',
    '__proto__=1',
    'constructor=1&toString=2',
    'a[b]=c&a[]=1',
    '%zz=1',
    '%00=%00',
    '%FF',
    '&&&',
    '=',
    '=&=x',
    '?',
    'x=%0d%0a',
    `x=${'y'.repeat(5000)}`,
    'x&'.repeat(900),
  ]
  testEndpoints('ignores unknown parameters', { sample: 25 }, async (endpoint) => {
    const { status } = await send(endpoint, '')
    expect(status).to.equal(statusOf(endpoint, endpoint.method === 'DELETE' ? 404 : 200))
    for (const query of isLimited(endpoint) ? unknownParameters.slice(0, 8) : unknownParameters)
      expectStatus(await send(endpoint, query), status)
  })

  testEndpoints(
    'reports unknown parameters in strict mode, in collections with other faults',
    { filter: needsToken },
    async (endpoint) => {
      const others = isList(endpoint) ? ['rpp'] : []
      for (const name of ['x', 'Page', 'page%5B%5D', '__proto__', 'constructor', '%F0%9F%98%80']) {
        const query = [name, ...others].map((each) => `${each}=0`).join('&')
        const response = await send(endpoint, query, { Prefer: 'handling=strict' })
        expect(Object.keys(infoOf(response))).to.have.members([decodeURIComponent(name), ...others])
      }
    },
  )
})
