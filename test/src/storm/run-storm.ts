/** The storms: what happens to processes under load, and what a run of one found. */
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../durability/random.js'
import { fetchToken, killRemaining, type ServiceProcess } from '../durability/service-process.js'
import { walk } from '../durability/written-things.js'
import { expectOk } from '../harness/expect-answer.js'
import { createApi } from '../harness/http-client.js'
import type { StormName } from './options.js'
import { recordFolder, type Ignored, type Recording } from './recorded-disk.js'
import type { StormStores } from './storm-stores.js'
import { createWriters, type Finding, type Load, type Way, type Writers } from './writers.js'

export type StormResult = {
  readonly storm: StormName
  readonly stores: string
  readonly rounds: number
  /** Acknowledged writes by kind. */
  readonly kinds: ReadonlyMap<string, number>
  /** Answers of 503. */
  readonly refused: number
  readonly findings: readonly Finding[]
  /** Starts that failed, defects in the log, answers that no client may meet. */
  readonly faults: readonly string[]
  /** Uploads in the blob store that no file names, at the end. */
  readonly orphans: number
  readonly seconds: number
}

export type Storm = {
  readonly stores: StormStores
  /** Kills, or power cuts. */
  readonly rounds: number
  readonly random: Random
  readonly progress: (text: string) => void
  /** Only for power cuts: a disk that lies about synchronizations, on which writes must get lost. */
  readonly ignored?: Ignored
}

const megabyte = 1_000_000

/** A round ends within so many acknowledged writes, and within so many milliseconds. */
const mostWrites = 160
const longestLoad = 20_000

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

type Session = Storm & {
  /** Starts a service on the stores; the first start makes what is written to. */
  readonly start: (process: number) => Promise<ServiceProcess>
  /** How long the last start took, in milliseconds: a start that is killed is killed within it. */
  readonly startTime: () => number
  readonly wayTo: (service: ServiceProcess) => Way
  readonly writers: () => Writers
  readonly verify: (service: ServiceProcess, process?: 'fresh' | 'survivor') => Promise<void>
  /** Kills a service and reports the defects in its log. */
  readonly kill: (service: ServiceProcess) => Promise<void>
  readonly loaded: (load: Load | undefined) => void
  readonly fault: (text: string) => void
  /** Whether nothing was found yet: what comes after a finding only follows from it. */
  readonly isSound: () => boolean
  /** Whether another round is due. */
  readonly isDue: () => boolean
  readonly roundDone: () => void
}

/** Uploads in the blob store less the files that have data. */
const countOrphans = async (stores: StormStores, { api }: Way): Promise<number> => {
  let named = 0
  for (const id of await walk(api, 'files', 'created')) {
    const { object } = expectOk(await api.get(`/files/${id}`, { 'Cache-Control': 'no-cache' }))
    if (object['download_url'] !== null) named += 1
  }
  return (await stores.uploads()) - named
}

const runStorm = async (
  name: StormName,
  storm: Storm,
  rounds: (session: Session) => Promise<void>,
): Promise<StormResult> => {
  const { stores, random, progress } = storm
  const began = performance.now()
  const findings: Finding[] = []
  const faults: string[] = []
  let refused = 0
  let done = 0
  let orphans = 0
  let startTime = 500
  let token: string | null = null
  let writers: Writers | null = null
  const wayTo = ({ url }: ServiceProcess): Way => ({ url, api: createApi(`${url}/1`, token) })
  const madeWriters = (): Writers => {
    if (writers === null) throw new Error('no service has started yet')
    return writers
  }
  const isSound = (): boolean => findings.length === 0 && faults.length === 0
  const session: Session = {
    ...storm,
    start: async (process) => {
      const startBegan = performance.now()
      const service = await stores.start(process)
      startTime = Math.ceil(performance.now() - startBegan)
      token ??= await fetchToken(service.url)
      writers ??= await createWriters(wayTo(service), random)
      return service
    },
    startTime: () => startTime,
    wayTo,
    writers: madeWriters,
    verify: async (service, process) => {
      findings.push(...(await madeWriters().verify(wayTo(service), process)))
      findings.push(...stores.check().map((text) => ({ kind: 'half-written', text }) as const))
    },
    kill: async (service) => {
      await service.kill()
      faults.push(...service.defects())
    },
    loaded: (load) => {
      refused += load?.refused ?? 0
      faults.push(...(load?.faults ?? []))
    },
    fault: (text) => void faults.push(text),
    isSound,
    isDue: () => done < storm.rounds && isSound(),
    roundDone: () => {
      done += 1
      const counts = `${writers?.acknowledged() ?? 0} acknowledged writes, ${findings.length} lost or half-written`
      progress(`${name} on ${stores.name}: ${done} of ${storm.rounds}, ${counts}`)
    },
  }
  try {
    await rounds(session)
    if (isSound()) {
      const last = await session.start(0)
      await session.verify(last)
      if (isSound()) orphans = await countOrphans(stores, wayTo(last))
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
    storm: name,
    stores: stores.name,
    rounds: done,
    kinds: writers === null ? new Map() : madeWriters().kinds(),
    refused,
    findings,
    faults,
    orphans,
    seconds: (performance.now() - began) / 1000,
  }
}

/** Waits for a random number of acknowledged writes and a moment of one more, or until the load has ended. */
const someWrites = async ({ random, writers }: Session, load: Promise<readonly Load[]>): Promise<void> => {
  const [enough, delay] = [writers().acknowledged() + random.below(mostWrites), random.below(20)]
  const deadline = performance.now() + longestLoad
  let isOver = false
  void load.finally(() => (isOver = true))
  while (!isOver && writers().acknowledged() < enough && performance.now() < deadline) await setTimeout(2)
  await setTimeout(delay)
}

/** Load on one service for a while, in some rounds with a large upload, and its death. */
const killUnderLoad = async (session: Session, service: ServiceProcess): Promise<void> => {
  const { random, writers, wayTo, kill, loaded } = session
  const writing = writers().run([wayTo(service)])
  if (random.below(5) === 0) {
    const bytes = (1 + random.below(8)) * megabyte
    const untilKilled = random.below(2) === 0 ? () => kill(service) : async () => undefined
    await writers().uploadLarge(wayTo(service), bytes, untilKilled)
  }
  await someWrites(session, writing)
  await kill(service)
  loaded((await writing)[0])
}

/** Kills one service under load, and in some rounds the next while it starts. */
export const runKills = (storm: Storm): Promise<StormResult> =>
  runStorm('kills', storm, async (session) => {
    const { stores, random } = session
    while (session.isDue()) {
      const service = await session.start(0)
      await session.verify(service)
      if (!session.isSound()) break
      await killUnderLoad(session, service)
      if (random.below(5) === 0) await stores.startAndKill(random.below(session.startTime()))
      session.roundDone()
    }
  })

/** Cuts the power of one service under load; embedded stores only. */
export const runPowerCuts = (storm: Storm): Promise<StormResult> => {
  let recording: Recording | null = null
  const recorded: StormStores = {
    ...storm.stores,
    start: async (process, more) => storm.stores.start(process, { ...more, ...recording?.environment }),
    startAndKill: (milliseconds) => storm.stores.startAndKill(milliseconds, recording?.environment),
  }
  const record = async (): Promise<Recording> =>
    (recording = await recordFolder(storm.stores.folder, storm.ignored ?? null))
  return runStorm('power-cuts', { ...storm, stores: recorded }, async (session) => {
    const { random } = session
    while (session.isDue()) {
      const now = await record()
      try {
        if (random.below(5) === 0) await recorded.startAndKill(random.below(session.startTime()))
        else {
          const service = await session.start(0)
          await session.verify(service)
          if (!session.isSound()) break
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
export const runTwoProcesses = (storm: Storm): Promise<StormResult> =>
  runStorm('two-processes', storm, async (session) => {
    const { random, writers, wayTo } = session
    let pair = [await session.start(0), await session.start(1)] as const
    while (session.isDue()) {
      let isOver = false
      const dying = random.below(2) === 0 ? 0 : 1
      const writing = writers().run(pair.map(wayTo), () => isOver)
      await someWrites(session, writing)
      await session.kill(pair[dying])
      await someWrites(session, writing)
      isOver = true
      const loads = await writing
      loads.forEach(session.loaded)
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

export const storms = {
  kills: runKills,
  'power-cuts': runPowerCuts,
  'two-processes': runTwoProcesses,
} as const satisfies Readonly<Record<StormName, (storm: Storm) => Promise<StormResult>>>
