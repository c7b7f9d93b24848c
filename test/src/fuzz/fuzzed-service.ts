/**
 * The service under test: a separate process on sqlite × filesystem, with the sample, to whose objects the examples
 * refer.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { endpoints, type Endpoint } from '@publishing-service/http-contract'
import { examplePath, openApiDocument } from '@publishing-service/http-contract/openapi'
import { fetchToken, startServiceProcess } from '../durability/service-process.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type Api, type RequestOptions } from '../harness/http-client.js'
import { smallPng } from '../harness/small-files.js'

const document = openApiDocument()

export type FuzzedService = {
  readonly url: string
  /** The token of an admin. */
  readonly token: string
  /** The log lines of defects. */
  readonly defects: () => readonly string[]
  readonly stop: () => Promise<void>
}

const within = (part: Json, ...names: readonly string[]): Json =>
  names.reduce<Json>((found, name) => (isJsonObject(found) ? (found[name] ?? null) : null), part)

/** The example of a request body in the document. */
const bodyOf = ({ path, method }: Endpoint): Json => {
  const { content = null } = within(
    document,
    'paths',
    path,
    method.toLowerCase(),
    'requestBody',
  ) as JsonObject
  const [media = null] = Object.values(isJsonObject(content) ? content : {})
  const examples = within(media, 'examples')
  const [example = null] = Object.values(isJsonObject(examples) ? examples : {})
  return within(example, 'value')
}

const endpointOf = (id: string): Endpoint => {
  const endpoint = endpoints.find((each) => each.id === id)
  if (endpoint === undefined) throw new Error(`there is no operation ${id}`)
  return endpoint
}

/** The key of the example token request, so that the example succeeds. */
const exampleKey = (): { readonly key: string; readonly secret: string } => {
  const form = bodyOf(endpointOf('exchangeToken'))
  return { key: String(within(form, 'api_key')), secret: String(within(form, 'api_secret')) }
}

/** Sends the example of a write to a part of an object. */
const sendExample = async (api: Api, id: string): Promise<void> => {
  const endpoint = endpointOf(id)
  const sent: RequestOptions =
    endpoint.body === 'data'
      ? { body: smallPng, headers: { 'Content-Type': 'image/png' } }
      : { body: JSON.stringify(bodyOf(endpoint)), headers: { 'Content-Type': 'application/json' } }
  expectOk(await api.send(endpoint.method, examplePath(endpoint), sent))
}

export const startFuzzedService = async (): Promise<FuzzedService> => {
  const folder = await mkdtemp(join(tmpdir(), 'publishing-fuzz-'))
  const key = exampleKey()
  const service = await startServiceProcess(folder, {
    BOOTSTRAP_API_KEY: key.key,
    BOOTSTRAP_API_SECRET: key.secret,
  })
  const token = await fetchToken(service.url, key)
  const api = createApi(service.url, token)
  for (const id of ['replaceSlot', 'attachTag', 'uploadFile']) await sendExample(api, id)
  return {
    url: service.url,
    token,
    defects: service.defects,
    stop: async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
