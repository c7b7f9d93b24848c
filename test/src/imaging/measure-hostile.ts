/**
 * Sends hostile inputs to a service in a process of its own, and measures what each does to it, and to the processes
 * that scale for it: the answer, the time until it came, processor time, memory above what the service takes idle, and
 * what others meanwhile had to wait.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject } from '@publishing-service/domain'
import { storeFile } from '../harness/library.js'
import type { Answer, Api } from '../harness/http-client.js'
import { familyOf, memoryOfAll, processorSecondsOf } from '../bench/process-use.js'
import { adminApi, startServiceProcess } from '../durability/service-process.js'
import type { HostileInput } from './hostile-inputs.js'

export type Harm = {
  readonly name: string
  /** Bytes of the input. */
  readonly bytes: number
  readonly status: number
  /** What the answer says, or which type it is of. */
  readonly words: string
  readonly body: Buffer
  /** Until the answer was whole; the upload isn't counted. */
  readonly seconds: number
  readonly processorSeconds: number
  /** At the worst moment, since the service's memory was last looked at. */
  readonly bytesAboveIdle: number
  /** The longest that a request for something else took meanwhile, in seconds. */
  readonly othersWaited: number
}

/** Sets the peak of the processes' memory back to what they take now. */
const forgetPeaks = (pids: readonly number[]): Promise<unknown> =>
  Promise.all(pids.map((pid) => writeFile(`/proc/${pid}/clear_refs`, '5')))

const processorSeconds = async (pids: readonly number[]): Promise<number> =>
  (await Promise.all(pids.map(processorSecondsOf))).reduce<number>((sum, each) => sum + (each ?? 0), 0)

type Meanwhile = {
  /** The longest that another request took, in seconds. */
  readonly longest: number
  /** The most bytes that were resident at once: of a process that is gone by the end, too. */
  readonly most: number
}

/** Asks for something else until told to end; rejects where that isn't answered. */
const meanwhile = (api: Api, pid: number): { readonly end: () => Promise<Meanwhile> } => {
  let isOver = false
  const asking = (async () => {
    let [longest, most] = [0, 0]
    while (!isOver) {
      const started = performance.now()
      const { status } = await api.get('/sections')
      if (status !== 200) throw new Error(`another request was answered ${status}`)
      longest = Math.max(longest, (performance.now() - started) / 1000)
      most = Math.max(most, (await memoryOfAll(await familyOf(pid))).resident)
    }
    return { longest, most }
  })()
  return {
    end: () => {
      isOver = true
      return asking
    },
  }
}

const wordsOf = (answer: Answer): string => {
  if (answer.status === 200) return String(answer.headers['content-type'])
  const info = answer.object['error_info']
  return isJsonObject(info) ? String(Object.values(info)[0]) : String(answer.object['error'])
}

/** `idle` is the memory of the service before it did anything, in bytes. */
const measureHostile = async (
  api: Api,
  pid: number,
  idle: number,
  { name, mimetype, data }: HostileInput,
): Promise<Harm> => {
  const input = data()
  const { download } = await storeFile(api, { filename: `${randomUUID()}.bin`, mimetype, data: input })
  const family = await familyOf(pid)
  await forgetPeaks(family)
  const before = await processorSeconds(family)
  const others = meanwhile(api, pid)
  const started = performance.now()
  const answer = await api.get(`${download}?w=3&h=3`)
  const seconds = (performance.now() - started) / 1000
  const { longest, most } = await others.end()
  const familyThen = await familyOf(pid)
  const [after, { peak }] = [await processorSeconds(familyThen), await memoryOfAll(familyThen)]
  return {
    name,
    bytes: input.length,
    status: answer.status,
    words: wordsOf(answer),
    body: answer.bytes,
    seconds,
    processorSeconds: after - before,
    bytesAboveIdle: Math.max(peak, most) - idle,
    othersWaited: longest,
  }
}

export type HostileRun = {
  readonly harms: readonly Harm[]
  /** The exit code of the service after all of them, and the defects that it logged. */
  readonly exit: number | null
  readonly defects: readonly string[]
}

/** Sends all of them, one after the other, to one service with this imaging adapter. */
export const runHostile = async (
  imaging: string,
  inputs: readonly HostileInput[],
  told: (harm: Harm) => void,
): Promise<HostileRun> => {
  const directory = await mkdtemp(join(tmpdir(), 'hostile-'))
  const service = await startServiceProcess(directory, { IMAGING: imaging })
  try {
    const api = await adminApi(service)
    await api.get('/sections')
    const idle = (await memoryOfAll([service.pid])).resident
    const harms: Harm[] = []
    for (const input of inputs) {
      const harm = await measureHostile(api, service.pid, idle, input)
      told(harm)
      harms.push(harm)
    }
    return { harms, defects: service.defects(), exit: await service.stop() }
  } finally {
    await service.kill()
    await rm(directory, { recursive: true, force: true })
  }
}
