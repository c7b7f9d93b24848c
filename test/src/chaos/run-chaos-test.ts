/** The scenarios of the chaos test: kills, power cuts and two processes, each under load. */
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../durability/random.js'
import {
  fetchToken,
  killRemaining,
  type Environment,
  type ServiceProcess,
} from '../durability/service-process.js'
import { walkRows } from '../durability/written-objects.js'
import { createApi } from '../harness/http-client.js'
import type { ChaosStores } from './chaos-stores.js'
import { recordFolder, type Ignored } from './recorded-disk.js'
import { createWriters, type Load, type ServiceClient, type Writers } from './writers.js'

export type ChaosTest = {
  readonly stores: ChaosStores
  /** The number of kills or power cuts. */
  readonly rounds: number
  readonly random: Random
  readonly progress?: (text: string) => void
  /** Which synchronizations the simulated disk ignores, so that writes are lost. Only for power cuts. */
  readonly ignored?: Ignored
}

export type ChaosResult = {
  readonly rounds: number
  /**
   * Lost and half-written values, inconsistencies, failed starts, defects in the log, and undocumented responses. The
   * first round with findings is the last.
   */
  readonly findings: readonly string[]
  readonly summary: string
}

const megabyte = 1_000_000

/** The maximum number of acknowledged writes, and of milliseconds, in a round. */
const maxWrites = 160
const maxDuration = 20_000

/** The uploads in the blob store, except those of existing files. */
const countOrphans = async (stores: ChaosStores, { api }: ServiceClient): Promise<number> => {
  const files = await walkRows(api, 'files', 'created', 'uuid,download_url')
  return (await stores.uploads()) - files.filter(([, url]) => typeof url === 'string').length
}

/** The functions of one scenario on its stores. */
const openSession = ({ stores, rounds, random, progress = () => undefined }: ChaosTest) => {
  const began = performance.now()
  const findings: string[] = []
  let done = 0
  let refused = 0
  let orphans = 0
  let startTime = 500
  let token: string | null = null
  let writers: Writers | null = null
  const currentWriters = (): Writers => {
    if (writers === null) throw new Error('no service has started')
    return writers
  }
  const acknowledged = (): number => writers?.acknowledged() ?? 0
  const clientOf = ({ url }: ServiceProcess): ServiceClient => ({ url, api: createApi(`${url}/1`, token) })
  /** Starts a service. The first start creates the write targets. */
  const start = async (process: 0 | 1, environment?: Environment): Promise<ServiceProcess> => {
    const startBegan = performance.now()
    const service = await stores.start(process, environment)
    startTime = Math.ceil(performance.now() - startBegan)
    token ??= await fetchToken(service.url)
    writers ??= await createWriters(clientOf(service), random)
    return service
  }
  const verify = async (service: ServiceProcess, process?: 'survivor'): Promise<void> => {
    findings.push(...(await currentWriters().verify(clientOf(service), process)), ...stores.check())
  }
  const startAndVerify = async (process: 0 | 1, environment?: Environment): Promise<ServiceProcess> => {
    const service = await start(process, environment)
    await verify(service)
    return service
  }
  const kill = async (service: ServiceProcess): Promise<void> => {
    await service.kill()
    findings.push(...service.defects())
  }
  const recordLoads = (loads: readonly Load[]): void => {
    for (const load of loads) {
      refused += load.refused
      findings.push(...load.faults)
    }
  }
  /** Waits for a random number of acknowledged writes and some milliseconds, or until the load has ended. */
  const waitForWrites = async (load: Promise<unknown>): Promise<void> => {
    const [enough, delay] = [acknowledged() + random.below(maxWrites), random.below(20)]
    const deadline = performance.now() + maxDuration
    let isOver = false
    void load.finally(() => (isOver = true))
    while (!isOver && acknowledged() < enough && performance.now() < deadline) await setTimeout(2)
    await setTimeout(delay)
  }
  return {
    random,
    findings,
    start,
    verify,
    startAndVerify,
    kill,
    recordLoads,
    waitForWrites,
    load: (services: readonly ServiceProcess[], isEnough?: () => boolean) =>
      currentWriters().run(services.map(clientOf), isEnough),
    /** Kills a service at a random time of its start. */
    startAndKill: (environment?: Environment) => stores.startAndKill(random.below(startTime), environment),
    /** Writes to a service, in some rounds with a large upload, and kills it. */
    killUnderLoad: async (service: ServiceProcess): Promise<void> => {
      const writing = currentWriters().run([clientOf(service)])
      if (random.below(5) === 0) {
        const bytes = (1 + random.below(8)) * megabyte
        const pause = random.below(2) === 0 ? () => kill(service) : async () => undefined
        await currentWriters().uploadLarge(clientOf(service), bytes, pause)
      }
      await waitForWrites(writing)
      await kill(service)
      recordLoads(await writing)
    },
    repeat: async (round: () => Promise<void>): Promise<void> => {
      while (done < rounds && findings.length === 0) {
        await round()
        done += 1
        progress(`round ${done} of ${rounds}, ${acknowledged()} acknowledged writes`)
      }
    },
    /** Verifies the stores after the last round, and stops the service. */
    finish: async (): Promise<void> => {
      const service = await startAndVerify(0)
      if (findings.length === 0) orphans = await countOrphans(stores, clientOf(service))
      const code = await service.stop()
      if (code !== 0) findings.push(`the last service ended with exit code ${String(code)}`)
      findings.push(...service.defects())
    },
    result: (): ChaosResult => ({
      rounds: done,
      findings,
      summary: [
        `${done} rounds`,
        `${acknowledged()} acknowledged writes of ${writers?.kinds() ?? 0} kinds`,
        `${refused} responses with 503`,
        `${orphans} orphaned blobs`,
        `${findings.length} findings`,
        `${((performance.now() - began) / 60_000).toFixed(1)} minutes`,
      ].join(', '),
    }),
  }
}

type Session = ReturnType<typeof openSession>

const runScenario =
  (run: (session: Session, test: ChaosTest) => Promise<void>) =>
  async (test: ChaosTest): Promise<ChaosResult> => {
    const session = openSession(test)
    const { findings, finish, result } = session
    try {
      await run(session, test)
      if (findings.length === 0) await finish()
    } catch (error) {
      findings.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    } finally {
      await killRemaining()
    }
    return result()
  }

export const scenarios = {
  /** Kills one service under load, and in some rounds the next one while it starts. */
  kills: runScenario(async ({ random, findings, repeat, startAndVerify, killUnderLoad, startAndKill }) => {
    await repeat(async () => {
      const service = await startAndVerify(0)
      if (findings.length > 0) return
      await killUnderLoad(service)
      if (random.below(5) === 0) await startAndKill()
    })
  }),

  /** Cuts the power of one service under load or while it starts. Only for embedded stores. */
  'power-cuts': runScenario(async (session, { stores, ignored }) => {
    const { random, findings, repeat, startAndVerify, killUnderLoad, startAndKill } = session
    await repeat(async () => {
      const recording = await recordFolder(stores.folder, ignored)
      try {
        if (random.below(5) === 0) await startAndKill(recording.environment)
        else {
          const service = await startAndVerify(0, recording.environment)
          if (findings.length > 0) return
          await killUnderLoad(service)
        }
        await recording.cutPower(random)
      } finally {
        await recording.remove()
      }
    })
  }),

  /** Kills one of two services under load on the same stores. The other one continues. */
  'two-processes': runScenario(async (session) => {
    const { random, findings, start, verify, startAndVerify, repeat, load, kill, recordLoads } = session
    const pair = [await start(0), await start(1)] as [ServiceProcess, ServiceProcess]
    await repeat(async () => {
      let isOver = false
      const [killed, other] = random.below(2) === 0 ? ([0, 1] as const) : ([1, 0] as const)
      const writing = load(pair, () => isOver)
      await session.waitForWrites(writing)
      await kill(pair[killed])
      await session.waitForWrites(writing)
      isOver = true
      const loads = await writing
      recordLoads(loads)
      if ((loads[other]?.broken ?? 0) > 0) findings.push('the surviving process broke connections')
      await verify(pair[other], 'survivor')
      pair[killed] = await startAndVerify(killed)
      findings.push(...pair[other].defects())
    })
    for (const service of pair) await kill(service)
  }),
} as const
