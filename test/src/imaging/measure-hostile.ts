/**
 * Sends hostile inputs to a service in a separate process, and measures their effects on it and on its scaling
 * processes: the response, its time, processor time, memory above that of the idle service, and the time of other
 * requests.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject } from '@publishing-service/domain'
import { storeFile } from '../harness/stored-files.js'
import type { ApiResponse, Api } from '../harness/http-client.js'
import { familyOf, memoryOfAll, processorSecondsOf } from '../bench/process-use.js'
import { adminApi, startServiceProcess } from '../durability/service-process.js'
import type { HostileInput } from './hostile-inputs.js'

export type Effect = {
  readonly name: string
  /** Bytes of the input. */
  readonly bytes: number
  readonly status: number
  /** The error message, or the content type. */
  readonly message: string
  readonly body: Buffer
  /** Until the response was complete, without the upload. */
  readonly seconds: number
  readonly processorSeconds: number
  /** The highest memory during the request. */
  readonly bytesAboveIdle: number
  /** The time of the slowest concurrent request, in seconds. */
  readonly longestOtherRequest: number
}

/** Resets the peak memory of the processes to their current memory. */
const resetPeaks = (pids: readonly number[]): Promise<unknown> =>
  Promise.all(pids.map((pid) => writeFile(`/proc/${pid}/clear_refs`, '5')))

const processorSeconds = async (pids: readonly number[]): Promise<number> =>
  (await Promise.all(pids.map(processorSecondsOf))).reduce<number>((sum, each) => sum + (each ?? 0), 0)

type OtherRequests = {
  /** The time of the slowest request, in seconds. */
  readonly longest: number
  /** The highest resident memory in bytes, including processes that ended meanwhile. */
  readonly highestMemory: number
}

/** Sends other requests until `end` is called. Rejects if one fails. */
const sendOtherRequests = (api: Api, pid: number): { readonly end: () => Promise<OtherRequests> } => {
  let isEnded = false
  const requests = (async () => {
    let [longest, highestMemory] = [0, 0]
    while (!isEnded) {
      const started = performance.now()
      const { status } = await api.get('/sections')
      if (status !== 200) throw new Error(`another request returned ${status}`)
      longest = Math.max(longest, (performance.now() - started) / 1000)
      highestMemory = Math.max(highestMemory, (await memoryOfAll(await familyOf(pid))).resident)
    }
    return { longest, highestMemory }
  })()
  return {
    end: () => {
      isEnded = true
      return requests
    },
  }
}

const messageOf = (response: ApiResponse): string => {
  if (response.status === 200) return String(response.headers['content-type'])
  const info = response.object['error_info']
  return isJsonObject(info) ? String(Object.values(info)[0]) : String(response.object['error'])
}

/** `idle` is the memory of the idle service in bytes. */
const measureHostile = async (
  api: Api,
  pid: number,
  idle: number,
  { name, mimetype, data }: HostileInput,
): Promise<Effect> => {
  const input = data()
  const { download } = await storeFile(api, { filename: `${randomUUID()}.bin`, mimetype, data: input })
  const family = await familyOf(pid)
  await resetPeaks(family)
  const before = await processorSeconds(family)
  const others = sendOtherRequests(api, pid)
  const started = performance.now()
  const response = await api.get(`${download}?w=3&h=3`)
  const seconds = (performance.now() - started) / 1000
  const { longest, highestMemory } = await others.end()
  const familyAfter = await familyOf(pid)
  const [after, { peak }] = [await processorSeconds(familyAfter), await memoryOfAll(familyAfter)]
  return {
    name,
    bytes: input.length,
    status: response.status,
    message: messageOf(response),
    body: response.bytes,
    seconds,
    processorSeconds: after - before,
    bytesAboveIdle: Math.max(peak, highestMemory) - idle,
    longestOtherRequest: longest,
  }
}

export type HostileRun = {
  readonly effects: readonly Effect[]
  /** The exit code of the service after all inputs. */
  readonly exit: number | null
  /** The defects that it logged. */
  readonly defects: readonly string[]
}

/** Sends the inputs one after the other to a service with this imaging adapter. */
export const runHostile = async (
  imaging: string,
  inputs: readonly HostileInput[],
  onEffect: (effect: Effect) => void,
): Promise<HostileRun> => {
  const directory = await mkdtemp(join(tmpdir(), 'hostile-'))
  const service = await startServiceProcess(directory, { IMAGING: imaging })
  try {
    const api = await adminApi(service)
    await api.get('/sections')
    const idle = (await memoryOfAll([service.pid])).resident
    const effects: Effect[] = []
    for (const input of inputs) {
      const effect = await measureHostile(api, service.pid, idle, input)
      onEffect(effect)
      effects.push(effect)
    }
    return { effects, defects: service.defects(), exit: await service.stop() }
  } finally {
    await service.kill()
    await rm(directory, { recursive: true, force: true })
  }
}
