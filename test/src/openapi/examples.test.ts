/** Every example that the reference offers with “Execute” succeeds on a new service with the sample. */
import { after, before, describe, it } from 'mocha'
import { expect } from 'chai'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { endpoints, type Endpoint } from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { readSample } from '@publishing-service/sample'
import { createApi, type Api, type RequestOptions } from '../harness/http-client.js'
import { smallPng } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const document = openApiDocument()

/** The collections of which the sample has objects. */
const sampled = new Set((await readSample()).objects.map(({ collection }) => collection))

const within = (part: Json, name: string): Json => (isJsonObject(part) ? (part[name] ?? null) : null)

const at = (...names: readonly string[]): Json => names.reduce(within, document)

const resolved = (part: Json): Json => {
  const reference = within(part, '$ref')
  return typeof reference === 'string' ? at(...reference.slice(2).split('/')) : part
}

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [])

const textOf = (value: Json): string =>
  encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))

/** The path and query with the values that the page fills into the fields: examples or default values. */
const addressOf = ({ path }: Endpoint, operation: Json): string => {
  const query: string[] = []
  let filled = path
  for (const parameter of listOf(within(operation, 'parameters')).map(resolved)) {
    const name = String(within(parameter, 'name'))
    const value = within(parameter, 'example') ?? within(within(parameter, 'schema'), 'default')
    if (value === null) continue
    if (within(parameter, 'in') === 'path') filled = filled.replace(`{${name}}`, textOf(value))
    if (within(parameter, 'in') === 'query') query.push(`${name}=${textOf(value)}`)
  }
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

const encoded = (type: string, value: Json): string =>
  type === 'application/json' || !isJsonObject(value)
    ? JSON.stringify(value)
    : Object.entries(value)
        .map(([name, each]) => `${name}=${textOf(each ?? null)}`)
        .join('&')

/** The bodies that the page offers, by name. For a file, the test chooses its own data. */
const bodiesOf = ({ body }: Endpoint, operation: Json): Readonly<Record<string, RequestOptions>> => {
  if (body === 'data') return { file: { body: smallPng, headers: { 'Content-Type': 'image/png' } } }
  const type = body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const examples = within(within(within(within(operation, 'requestBody'), 'content'), type), 'examples')
  if (!isJsonObject(examples)) return { request: {} }
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [
      name,
      { body: encoded(type, within(example, 'value')), headers: { 'Content-Type': type } },
    ]),
  )
}

const operationOf = ({ path, method }: Endpoint): JsonObject => {
  const operation = at('paths', path, method.toLowerCase())
  if (!isJsonObject(operation)) throw new Error(`no operation ${method} ${path}`)
  return operation
}

/** The key form replaces “Execute” for the exchange of a key. */
const offered = endpoints.filter(({ operation }) => operation !== 'exchangeToken')

const isComplete = (endpoint: Endpoint): boolean => !addressOf(endpoint, operationOf(endpoint)).includes('{')

type Example = {
  readonly title: string
  readonly endpoint: Endpoint
  readonly options: RequestOptions
}

/** How many examples of writes a sampled run sends: each needs a new service. */
const mostWrites = 8

describe('the examples of the reference', function () {
  this.timeout(60_000)
  let unchanged: TestService
  before(async () => {
    unchanged = await startTestService()
  })
  after(() => unchanged.stop())

  it('leave one field empty: the number of an upload, which differs between services', () => {
    expect(offered.filter((endpoint) => !isComplete(endpoint)).map(({ id }) => id)).to.deep.equal([
      'downloadFile',
    ])
  })

  /** Creates the object that an example refers to, if the sample has none of its resource. */
  const createTarget = async (api: Api, { path }: Endpoint): Promise<void> => {
    const replacing = endpoints.find(
      (each) => each.operation === 'replaceObject' && path.startsWith(each.path),
    )
    if (replacing?.resource === undefined || sampled.has(replacing.resource.collection)) return
    const operation = operationOf(replacing)
    const [options] = Object.values(bodiesOf(replacing, operation))
    await api.send('PUT', addressOf(replacing, operation), options)
  }

  const sendExample = async (service: TestService, { endpoint, options }: Example): Promise<void> => {
    const token = endpoint.deployment === undefined ? service.tokenFor('admin') : service.operatorToken()
    const api = createApi(service.url, await token)
    await createTarget(api, endpoint)
    const address = addressOf(endpoint, operationOf(endpoint))
    const [ofObject = '', part] = address.split('/draft')
    if (part !== undefined) await api.patch(`${ofObject}/draft`, {})
    if (endpoint.path.endsWith('/{tag_uuid}')) await api.put(address, {})
    // Visitors send comments where an instance wants them.
    if (endpoint.permission?.action === 'submit') await api.patch('/1/settings', { public_comments: true })
    const response = await api.send(endpoint.method, address, options)
    expect(response.status, response.text).to.equal(200)
  }

  /**
   * Examples of users, web hooks, imports, versions, the trash, and deletions of instances need what another example has written;
   * those of people need a session or a secret.
   */
  const needsAnother = ({ deployment, permission, path, method, operation }: Endpoint): boolean =>
    (deployment !== undefined && (path.includes('{uuid}') || method === 'DELETE')) ||
    (['trash', 'webhooks', 'imports', 'exports'].includes(permission?.subject ?? '') &&
      path.includes('{uuid}')) ||
    // The file of the example has no data.
    operation === 'createImport' ||
    path.includes('{version}') ||
    path.startsWith('/sign-in/') ||
    path.startsWith('/account/')
  const sent = offered.filter((endpoint) => isComplete(endpoint) && !needsAnother(endpoint))
  const all = sent.flatMap((endpoint): readonly Example[] =>
    Object.entries(bodiesOf(endpoint, operationOf(endpoint))).map(([name, options]) => ({
      title: `${endpoint.id}, ${name}`,
      endpoint,
      options,
    })),
  )
  const isRead = ({ endpoint }: Example): boolean => endpoint.method === 'GET'
  for (const each of all.filter(isRead)) it(each.title, () => sendExample(unchanged, each))

  const writes = all.filter((each) => !isRead(each))
  describe(`that write${sampleTitle(mostWrites, writes.length)}`, () => {
    for (const each of sampleFrom(writes, mostWrites))
      it(each.title, async () => {
        // Other examples may need what a write changes.
        const service = await startTestService()
        try {
          await sendExample(service, each)
        } finally {
          await service.stop()
        }
      })
  })
})
