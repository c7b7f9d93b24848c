/**
 * The service under test: a separate process on sqlite × filesystem, with the sample and the objects of the
 * examples.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject } from '@publishing-service/domain'
import { endpoints } from '@publishing-service/http-contract'
import { examplesOf } from '@publishing-service/http-contract/openapi'
import { fetchToken, startServiceProcess } from '../durability/service-process.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type Api, type RequestOptions } from '../harness/http-client.js'
import { smallPng } from '../harness/small-files.js'

export type FuzzedService = {
  readonly url: string
  /** The token of an admin. */
  readonly token: string
  /** The log lines of defects. */
  readonly defects: () => readonly string[]
  readonly stop: () => Promise<void>
}

/** The key of the example token request, so that the example succeeds. */
const exampleKey = (): { readonly key: string; readonly secret: string } => {
  const [form] = Object.values(examplesOf('exchangeToken').requests ?? {})
  if (!isJsonObject(form)) throw new Error('there is no example of a token request')
  return { key: String(form['api_key']), secret: String(form['api_secret']) }
}

/** Creates the objects of the creation examples, under the UUIDs that other examples refer to. */
const createExampleObjects = async (api: Api): Promise<void> => {
  for (const { operation, id, path } of endpoints) {
    if (operation !== 'createObject') continue
    const { requests = {}, responses = {} } = examplesOf(id)
    const [[body], [response]] = [Object.values(requests), Object.values(responses)]
    if (body === undefined || !isJsonObject(response)) throw new Error(`${id} has no example`)
    expectOk(await api.put(`${path.replace('{iid}', '1')}/${String(response['uuid'])}`, body))
  }
}

/** Sends the example of a write to a part of an object. */
const sendExample = async (api: Api, id: string): Promise<void> => {
  const endpoint = endpoints.find((each) => each.id === id)
  const { parameters = {}, requests = {} } = examplesOf(id)
  const [body] = Object.values(requests)
  if (endpoint === undefined) throw new Error(`there is no operation ${id}`)
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_braced, name: string) =>
    name === 'iid' ? '1' : String(parameters[name]),
  )
  const sent: RequestOptions =
    endpoint.body === 'data'
      ? { body: smallPng, headers: { 'Content-Type': 'image/png' } }
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  expectOk(await api.send(endpoint.method, path, sent))
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
  await createExampleObjects(api)
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
