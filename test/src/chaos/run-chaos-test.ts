/** The scenarios: kills, power cuts and two processes under load, each with its findings. */
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../durability/random.js'
import { fetchToken, killRemaining, type ServiceProcess } from '../durability/service-process.js'
import { walk } from '../durability/written-things.js'
import { expectOk } from '../harness/expect-answer.js'
import { createApi } from '../harness/http-client.js'
import type { ScenarioName } from './options.js'
import { recordFolder, type Ignored, type Recording } from './recorded-disk.js'
import type { ChaosStores } from './chaos-stores.js'
import { createWriters, type Finding, type Load, type ServiceClient, type Writers } from './writers.js'

export type ChaosResult = {
  readonly scenario: ScenarioName
  readonly stores: string
  readonly rounds: number
  /** Acknowledged writes by kind. */
  readonly kinds: ReadonlyMap<string, number>
  /** Responses with 503. */
  readonly refused: number
  readonly findings: readonly Finding[]
  /** Starts that failed, defects in the log, and responses that the service does not document. */
  readonly faults: readonly string[]
  /** Orphaned blobs: uploads that no file refers to, at the end. */
  readonly orphans: number
  readonly seconds: number
}

export type ChaosTest = {
  readonly stores: ChaosStores
  /** Kills, or power cuts. */
  readonly rounds: number
  readonly random: Random
  readonly progress: (text: string) => void
  /** Only for power cuts: which synchronizations the disk ignores, so that writes are lost. */
  readonly ignored?: Ignored
}

const megabyte = 1_000_000

/** Maximum number of acknowledged writes, and of milliseconds, in a round. */
const maxWrites = 160
const maxDuration = 20_000

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

type Session = ChaosTest & {
  /** Starts a service on the stores. The first start creates the write targets. */
  readonly start: (process: number) => Promise<ServiceProcess>
  /** Duration of the last start in milliseconds. A start is killed within this time. */
  readonly startTime: () => number
  readonly clientOf: (service: ServiceProcess) => ServiceClient
  readonly writers: () => Writers
  readonly verify: (service: ServiceProcess, process?: 'fresh' | 'survivor') => Promise<void>
  /** Kills a service and reports the defects in its log. */
  readonly kill: (service: ServiceProcess) => Promise<void>
  readonly recordLoad: (load: Load | undefined) => void
  readonly fault: (text: string) => void
  /** Whether nothing was found yet. After a finding, the scenario stops. */
  readonly isClean: () => boolean
  /** Whether another round is due. */
  readonly isDue: () => boolean
  readonly roundDone: () => void
}

/** Uploads in the blob store less the files that have data. */
const countOrphans = async (stores: ChaosStores, { api }: ServiceClient): Promise<number> => {
  let named = 0
  for (const id of await walk(api, 'files', 'created')) {
    const { object } = expectOk(await api.get(`/files/${id}`, { 'Cache-Control': 'no-cache' }))
    if (object['download_url'] !== null) named += 1
  }
  return (await stores.uploads()) - named
}

const runScenario = async (
  name: ScenarioName,
  test: ChaosTest,
  rounds: (session: Session) => Promise<void>,
): Promise<ChaosResult> => {
  const { stores, random, progress } = test
  const began = performance.now()
  const findings: Finding[] = []
  const faults: string[] = []
  let refused = 0
  let done = 0
  let orphans = 0
  let startTime = 500
  let token: string | null = null
  let writers: Writers | null = null
  const clientOf = ({ url }: ServiceProcess): ServiceClient => ({ url, api: createApi(`${url}/1`, token) })
  const currentWriters = (): Writers => {
    if (writers === null) throw new Error('no service has started yet')
    return writers
  }
  const isClean = (): boolean => findings.length === 0 && faults.length === 0
  const session: Session = {
    ...test,
    start: async (process) => {
      const startBegan = performance.now()
      const service = await stores.start(process)
      startTime = Math.ceil(performance.now() - startBegan)
      token ??= await fetchToken(service.url)
      writers ??= await createWriters(clientOf(service), random)
      return service
    },
    startTime: () => startTime,
    clientOf,
    writers: currentWriters,
    verify: async (service, process) => {
      findings.push(...(await currentWriters().verify(clientOf(service), process)))
      findings.push(...stores.check().map((text) => ({ kind: 'half-written', text }) as const))
    },
    kill: async (service) => {
      await service.kill()
      faults.push(...service.defects())
    },
    recordLoad: (load) => {
      refused += load?.refused ?? 0
      faults.push(...(load?.faults ?? []))
    },
    fault: (text) => void faults.push(text),
    isClean,
    isDue: () => done < test.rounds && isClean(),
    roundDone: () => {
      done += 1
      const counts = `${writers?.acknowledged() ?? 0} acknowledged writes, ${findings.length} lost or half-written`
      progress(`${name} on ${stores.name}: ${done} of ${test.rounds}, ${counts}`)
    },
  }
  try {
    await rounds(session)
    if (isClean()) {
      const last = await session.start(0)
      await session.verify(last)
      if (isClean()) orphans = await countOrphans(stores, clientOf(last))
      const code = await last.stop()
      if (code !== 0) faults.push(`the last service ended with ${String(code)}`)
      faults.push(...last.defects())
    }
  } catch (error) {
    faults.push(messageOf(error))
  } finally {
    await killRemaining()
  }
  return {
    scenario: name,
    stores: stores.name,
    rounds: done,
    kinds: writers === null ? new Map() : currentWriters().kinds(),
    refused,
    findings,
    faults,
    orphans,
    seconds: (performance.now() - began) / 1000,
  }
}

/** Waits for a random number of acknowledged writes and some milliseconds, or until the load has ended. */
const someWrites = async ({ random, writers }: Session, load: Promise<readonly Load[]>): Promise<void> => {
  const [enough, delay] = [writers().acknowledged() + random.below(maxWrites), random.below(20)]
  const deadline = performance.now() + maxDuration
  let isOver = false
  void load.finally(() => (isOver = true))
  while (!isOver && writers().acknowledged() < enough && performance.now() < deadline) await setTimeout(2)
  await setTimeout(delay)
}

/** Loads one service, in some rounds with a large upload, and kills it. */
const killUnderLoad = async (session: Session, service: ServiceProcess): Promise<void> => {
  const { random, writers, clientOf, kill, recordLoad } = session
  const writing = writers().run([clientOf(service)])
  if (random.below(5) === 0) {
    const bytes = (1 + random.below(8)) * megabyte
    const untilKilled = random.below(2) === 0 ? () => kill(service) : async () => undefined
    await writers().uploadLarge(clientOf(service), bytes, untilKilled)
  }
  await someWrites(session, writing)
  await kill(service)
  recordLoad((await writing)[0])
}

/** Kills one service under load, and in some rounds the next while it starts. */
export const runKills = (test: ChaosTest): Promise<ChaosResult> =>
  runScenario('kills', test, async (session) => {
    const { stores, random } = session
    while (session.isDue()) {
      const service = await session.start(0)
      await session.verify(service)
      if (!session.isClean()) break
      await killUnderLoad(session, service)
      if (random.below(5) === 0) await stores.startAndKill(random.below(session.startTime()))
      session.roundDone()
    }
  })

/** Cuts the power of one service under load; embedded stores only. */
export const runPowerCuts = (test: ChaosTest): Promise<ChaosResult> => {
  let recording: Recording | null = null
  const recorded: ChaosStores = {
    ...test.stores,
    start: async (process, more) => test.stores.start(process, { ...more, ...recording?.environment }),
    startAndKill: (milliseconds) => test.stores.startAndKill(milliseconds, recording?.environment),
  }
  const record = async (): Promise<Recording> =>
    (recording = await recordFolder(test.stores.folder, test.ignored ?? null))
  return runScenario('power-cuts', { ...test, stores: recorded }, async (session) => {
    const { random } = session
    while (session.isDue()) {
      const now = await record()
      try {
        if (random.below(5) === 0) await recorded.startAndKill(random.below(session.startTime()))
        else {
          const service = await session.start(0)
          await session.verify(service)
          if (!session.isClean()) break
          await killUnderLoad(session, service)
        }
        await now.cutPower(random)
      } finally {
        recording = null
        await now.remove()
      }
      session.roundDone()
    }
  })
}

/** Kills one of two services under load on the same stores; the other goes on. */
export const runTwoProcesses = (test: ChaosTest): Promise<ChaosResult> =>
  runScenario('two-processes', test, async (session) => {
    const { random, writers, clientOf } = session
    let pair = [await session.start(0), await session.start(1)] as const
    while (session.isDue()) {
      let isOver = false
      const dying = random.below(2) === 0 ? 0 : 1
      const writing = writers().run(pair.map(clientOf), () => isOver)
      await someWrites(session, writing)
      await session.kill(pair[dying])
      await someWrites(session, writing)
      isOver = true
      const loads = await writing
      loads.forEach(session.recordLoad)
      const survivor = pair[1 - dying === 0 ? 0 : 1]
      if ((loads[1 - dying]?.broken ?? 0) > 0) session.fault('the surviving process broke connections')
      await session.verify(survivor, 'survivor')
      const restarted = await session.start(dying)
      await session.verify(restarted)
      for (const defect of survivor.defects()) session.fault(defect)
      pair = dying === 0 ? [restarted, survivor] : [survivor, restarted]
      session.roundDone()
    }
    for (const service of pair) await session.kill(service)
  })

export const scenarios = {
  kills: runKills,
  'power-cuts': runPowerCuts,
  'two-processes': runTwoProcesses,
} as const satisfies Readonly<Record<ScenarioName, (test: ChaosTest) => Promise<ChaosResult>>>
