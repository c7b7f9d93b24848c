/**
 * The examples of the OpenAPI document, recorded from a service with the sample publication. They are the same in
 * every run, because the clock is stopped and ids are counted.
 */
import { ContainerModule } from 'inversify'
import { format, resolveConfig } from 'prettier'
import { controlledClock, recordingLog } from '@publishing-service/adapter-memory'
import { scryptSecrets, sha256Checksum } from '@publishing-service/adapter-system'
import { tokens } from '@publishing-service/composition-root'
import type { Json, JsonObject } from '@publishing-service/domain'
import { endpoints, type Endpoint, type Examples } from '@publishing-service/http-contract'
import type { Ids } from '@publishing-service/ports'
import { expectOk, rowsOf } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api, type RequestOptions } from '../harness/http-client.js'
import { startTestService } from '../harness/start-test-service.js'
import { sendAllExamples, type ExampleRequest } from './example-run.js'

const key = {
  api_key: 'example-key-of-the-demo',
  api_secret: 'an-example-of-a-secret-that-nobody-may-know',
} as const

/** Ids that depend only on the number of earlier ones. */
const countedIds = (): Ids => {
  // The first id is that of the stores.
  let count = -1
  const next = (length: number): string => String((count += 1)).padStart(length, '0')
  return {
    uuid: () => `e0a3f1d2-5b6c-4d7e-8f90-${next(12)}`,
    secret: () => `example-of-an-access-token-${next(16)}`,
    name: () => `example-name-${next(7)}`,
  }
}

/** The replaced parts of the system. */
const countedSystem = () =>
  new ContainerModule(({ bind }) => {
    bind(tokens.clock).toConstantValue(controlledClock(Date.parse('2026-03-01T12:00:00Z')))
    bind(tokens.ids).toConstantValue(countedIds())
    bind(tokens.secrets).toConstantValue(
      scryptSecrets({ cost: { cost: 1024, blockSize: 8, parallelization: 1 } }),
    )
    bind(tokens.checksum).toConstantValue(sha256Checksum)
    bind(tokens.log).toConstantValue(recordingLog('error'))
  })

const endpointOf = (id: string): Endpoint => {
  const endpoint = endpoints.find((each) => each.id === id)
  if (endpoint === undefined) throw new Error(`no operation ${id}`)
  return endpoint
}

const addressOf = ({ path }: Endpoint, parameters: ExampleRequest['parameters'] = {}): string => {
  const inPath = new Set<string>()
  const address = path.replaceAll(/\{(\w+)\}/g, (_braced, name: string) => {
    inPath.add(name)
    return encodeURIComponent(parameters[name] ?? (name === 'iid' ? 1 : ''))
  })
  const query = Object.entries(parameters).filter(([name]) => !inPath.has(name))
  return query.length === 0
    ? address
    : `${address}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

const contentOf = ({ body: kind }: Endpoint, { body, data }: ExampleRequest): RequestOptions => {
  if (data !== undefined) return { body: data, headers: { 'Content-Type': 'image/png' } }
  if (body === undefined) return {}
  return kind === 'form'
    ? {
        body: new URLSearchParams(body as Readonly<Record<string, string>>).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }
    : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

/** Omits parameters whose value differs between services: the number of an upload depends on its time. */
const withoutVarying = (parameters: ExampleRequest['parameters']): ExampleRequest['parameters'] =>
  parameters === undefined
    ? undefined
    : Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'upload'))

const recordExample = (
  examples: Record<string, Examples>,
  { id, responsePayload }: Endpoint,
  { name = 'example', parameters: sent, body }: ExampleRequest,
  response: ApiResponse,
): void => {
  const parameters = withoutVarying(sent)
  const { parameters: first = parameters, requests = {}, responses = {} } = examples[id] ?? {}
  const isShown = responsePayload._tag !== 'Data'
  const shown = responsePayload._tag === 'Format' ? (response.body ?? response.text) : response.body
  examples[id] = {
    ...(first === undefined ? {} : { parameters: first }),
    ...(body === undefined && Object.keys(requests).length === 0
      ? {}
      : { requests: body === undefined ? requests : { ...requests, [name]: body } }),
    ...(isShown ? { responses: { ...responses, [name]: shown } } : {}),
  }
}

const exampleSender = (api: Api, examples: Record<string, Examples>) => {
  const sendExample = async (id: string, request: ExampleRequest = {}): Promise<JsonObject> => {
    const endpoint = endpointOf(id)
    const response = expectOk(
      await api.send(endpoint.method, addressOf(endpoint, request.parameters), contentOf(endpoint, request)),
    )
    recordExample(examples, endpoint, request, response)
    return typeof response.body === 'object' && !Array.isArray(response.body) && response.body !== null
      ? response.object
      : {}
  }
  const readRows = async (path: string): Promise<readonly (readonly Json[])[]> =>
    rowsOf(await api.get(`/1${path}`))
  return { sendExample, readRows }
}

/** All examples, by operation. */
export const collectExamples = async (): Promise<Readonly<Record<string, Examples>>> => {
  const service = await startTestService(
    {
      STORE: 'memory',
      BLOBS: 'memory',
      BASE_URL: 'https://api.example.org',
      BOOTSTRAP_API_KEY: key.api_key,
      BOOTSTRAP_API_SECRET: key.api_secret,
    },
    { system: countedSystem() },
  )
  try {
    const grant = await createApi(service.url).send('POST', '/oauth/token', {
      body: new URLSearchParams({ grant_type: 'client_credentials', ...key }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const examples: Record<string, Examples> = {}
    const api = createApi(service.url, String(expectOk(grant).object['access_token']))
    const { sendExample, readRows } = exampleSender(api, examples)
    await sendAllExamples(sendExample, readRows, key)
    return examples
  } finally {
    await service.stop()
  }
}

/** The path of the examples file from the root of the repository. */
export const examplesPath = 'packages/http-contract/src/openapi/examples.json'

/** The expected text of the examples file. */
export const examplesFile = async (): Promise<string> =>
  format(JSON.stringify(await collectExamples()), { ...(await resolveConfig(examplesPath)), parser: 'json' })
