/** A service for the fuzzer: a process of its own on sqlite × filesystem, with the sample and what examples name. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject } from '@publishing-service/domain'
import { endpoints } from '@publishing-service/http-contract'
import { examplesOf } from '@publishing-service/http-contract/openapi'
import { bootstrapKey, startServiceProcess } from '../durability/service-process.js'
import { expectOk } from '../harness/expect-answer.js'
import { createApi, type Api } from '../harness/http-client.js'

export type FuzzedService = {
  readonly url: string
  /** Of an admin. */
  readonly token: string
  /** Lines of the log that tell of a defect. */
  readonly defects: () => readonly string[]
  readonly stop: () => Promise<void>
}

const tokenOf = async (url: string): Promise<string> => {
  const { key, secret } = bootstrapKey
  const form = { grant_type: 'client_credentials', api_key: key, api_secret: secret }
  const answer = await createApi(url).send('POST', '/oauth/token', {
    body: new URLSearchParams(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  return String(expectOk(answer).object['access_token'])
}

/** Makes what the examples of creations make, under the UUIDs that other examples name. */
const plantExamples = async (api: Api): Promise<void> => {
  for (const { operation, id, path } of endpoints) {
    if (operation !== 'createObject') continue
    const { requests = {}, answers = {} } = examplesOf(id)
    const [[body], [answer]] = [Object.values(requests), Object.values(answers)]
    if (body === undefined || !isJsonObject(answer)) throw new Error(`${id} has no example`)
    expectOk(await api.put(`${path.replace('{iid}', '1')}/${String(answer['uuid'])}`, body))
  }
}

export const startFuzzedService = async (): Promise<FuzzedService> => {
  const folder = await mkdtemp(join(tmpdir(), 'publishing-fuzz-'))
  const service = await startServiceProcess(folder)
  const token = await tokenOf(service.url)
  await plantExamples(createApi(service.url, token))
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
