/**
 * Query parameters of every endpoint: wrong, unknown, repeated, badly encoded (docs/behaviour/errors.md,
 * docs/behaviour/collections.md, docs/behaviour/files.md).
 */
import { expect } from 'chai'
import { after, before, describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import { fieldsOf, pageLimits, type Queryable, type Schema } from '@publishing-service/domain'
import { queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { expectFaults, expectStatus, infoOf } from '../harness/expect-answer.js'
import type { Answer } from '../harness/http-client.js'
import { sampleRequest } from './sample-request.js'
import { setStage, type Stage } from './stage.js'
import { walkEndpoints } from './walk.js'

/** A parameter with a value that it takes and some that it doesn’t, as they stand in an address. */
type Trial = { readonly name: string; readonly right: string; readonly wrong: readonly string[] }

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

const fieldTrial = (queryable: Queryable): Trial => {
  const [right = 'url'] = fieldsOf(queryable).keys()
  const hidden = Object.keys(queryable.attributes).filter((name) => !fieldsOf(queryable).has(name))
  const around = [
    `${right}-`,
    `-${right}`,
    `${right},,${right}`,
    `${right}%20`,
    `${right};${right}`,
    right.toUpperCase(),
    `${right}.asc`,
  ]
  const many = Array.from({ length: pageLimits.fields + 1 }, () => right).join('-')
  return {
    name: 'fields',
    right,
    wrong: ['', '-', 'x', '*', many, ...around, ...hidden, ...inherited, ...bytes],
  }
}

const orderTrial = (queryable: Queryable): Trial => {
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
    right: names[0] ?? '',
    wrong: ['', '-', '.', 'x', '.asc', many, 'title_order', ...around, ...inherited, ...bytes],
  }
}

const id = randomUUID()

const byFormat: Readonly<Record<string, Omit<Trial, 'name'>>> = {
  uuids: {
    right: id,
    wrong: [
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
  'site-path': { right: '/', wrong: ['', 'x', 'news/', 'https://example.org/', ...bytes] },
  period: {
    right: '2024-01-01_2024-02-01',
    wrong: [
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

const words = { right: '', wrong: ['', '-', ',', '%20', 'x%20y', '../x', 'x_y', '7', ...bytes] }

const filterTrial = (name: string, { type, enum: choices, format }: Schema): Trial => {
  if (type === 'array') return { name, ...words }
  if (choices !== undefined) {
    const [right = ''] = choices
    return {
      name,
      right,
      wrong: ['', 'x', right.toUpperCase(), `${right}-${right}`, choices.join(','), ...inherited, ...bytes],
    }
  }
  const trial = byFormat[format ?? '']
  if (trial === undefined) throw new Error(`no wrong values for a filter of the format ${String(format)}`)
  return { name, ...trial }
}

const trialOf = (name: string, schema: Schema): Trial => {
  const { type, enum: choices, format, minimum = 1, maximum = 0 } = schema
  if (type === 'integer')
    return { name, right: String(minimum), wrong: ['', String(minimum - 1), String(maximum + 1), ...numbers] }
  if (choices === undefined && format === 'uuid')
    return { name, right: id, wrong: ['', 'x', `${id}_${id}`, id.slice(1), `%7B${id}%7D`, ...bytes] }
  return filterTrial(name, schema)
}

const trialsOf = (queryable: Queryable): readonly Trial[] => [
  fieldTrial(queryable),
  orderTrial(queryable),
  { name: 'page', right: '1', wrong: ['', String(pageLimits.maxPage + 1), ...numbers] },
  { name: 'rpp', right: '20', wrong: ['', String(pageLimits.maxRpp + 1), ...numbers] },
  ...Object.entries(queryable.filters).map(([name, { schema }]) => filterTrial(name, schema)),
]

/** What each endpoint says that it can be asked. */
const trials = (endpoint: Endpoint): readonly Trial[] => {
  const own = endpoint.parameters.map(({ name, schema }) => trialOf(name, schema))
  const rows = queryableOf(endpoint)
  return rows === undefined ? own : [...trialsOf(rows), ...own]
}

const hasParameters = (endpoint: Endpoint): boolean => trials(endpoint).length > 0
const isList = (endpoint: Endpoint): boolean => queryableOf(endpoint) !== undefined

describe('query parameters', () => {
  let stage: Stage
  before(async () => {
    stage = await setStage()
  })
  after(async () => {
    await stage.close()
  })

  const ask = (
    endpoint: Endpoint,
    query: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const { headers: own, ...rest } = sampleRequest(endpoint, stage)
    const replaced = endpoint.method === 'DELETE' ? { uuid: id, slot_uuid: id } : {}
    return stage
      .root(stage.home.admin.token)
      .send(endpoint.method, `${stage.address(endpoint, replaced)}?${query}`, {
        ...rest,
        headers: { ...own, ...headers },
      })
  }

  walkEndpoints('each wrong value is told under its name', { about: hasParameters }, async (endpoint) => {
    for (const { name, wrong } of trials(endpoint))
      for (const value of wrong) {
        const message = expectFaults(await ask(endpoint, `${name}=${value}`), name)[name]
        expect(message, value).to.have.length.below(2000)
      }
  })

  walkEndpoints('wrong values are told together', { about: hasParameters }, async (endpoint) => {
    const all = trials(endpoint).map(({ name, wrong: [first = ''] }) => `${name}=${first}`)
    expectFaults(await ask(endpoint, all.join('&')), ...trials(endpoint).map(({ name }) => name))
  })

  walkEndpoints('a parameter that is given twice is told', { about: hasParameters }, async (endpoint) => {
    for (const { name, right } of trials(endpoint)) {
      expectFaults(await ask(endpoint, `${name}=${right}&${name}=${right}`), name)
      expectFaults(await ask(endpoint, `${name}=${right}&x=1&${name}=x&${name}=`), name)
    }
  })

  const strange = [
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
  const isForm = ({ body }: Endpoint): boolean => body === 'form'
  walkEndpoints('unknown parameters are ignored', {}, async (endpoint) => {
    const { status } = await ask(endpoint, '')
    const expected = endpoint.method === 'DELETE' ? 404 : 200
    // A token request that fails is counted, and soon told to wait.
    expect(status).to.equal(isForm(endpoint) ? 401 : expected)
    for (const query of isForm(endpoint) ? strange.slice(0, 8) : strange)
      expectStatus(await ask(endpoint, query), status)
  })

  walkEndpoints(
    'unknown parameters of collections are told where handling is strict',
    { about: isList },
    async (endpoint) => {
      for (const name of ['x', 'Page', 'page%5B%5D', '__proto__', 'constructor', '%F0%9F%98%80']) {
        const answer = await ask(endpoint, `${name}=1&rpp=0`, { Prefer: 'handling=strict' })
        expect(Object.keys(infoOf(answer))).to.have.members([decodeURIComponent(name), 'rpp'])
      }
    },
  )
})
