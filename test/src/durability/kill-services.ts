/**
 * Kills services under load, starts them again, and compares their stores with the acknowledged writes. On one data
 * folder the power is cut in every fourth round: what the service had not synchronized is lost.
 */
import { setTimeout } from 'node:timers/promises'
import { createApi } from '../harness/http-client.js'
import type { KillableStores } from './killable-stores.js'
import { saveSynchronized, type Ignored } from './power-cut.js'
import type { Random } from './random.js'
import {
  fetchToken,
  killRemaining,
  takeCrashes,
  type Environment,
  type ServiceProcess,
} from './service-process.js'
import { createWriters, type ServiceClient, type Writers } from './writers.js'

export type Kills = {
  readonly stores: KillableStores
  /** With two, one is killed, and the other one continues. */
  readonly services: 1 | 2
  readonly rounds: number
  /**
   * Some lists, searches and versions are compared after this number of kills each time, by default after each. All are after the
   * last one, and after every twentieth.
   */
  readonly listsEvery?: number
  /** Milliseconds of writes before a kill, at most. */
  readonly longest?: number
  /** Numbers of comments that are deleted and restored with their articles. */
  readonly longThreads?: readonly number[]
  readonly random: Random
  /** Which synchronizations the simulated disk ignores, so that writes are lost. */
  readonly ignored?: Ignored
  /** Called when the stores were as acknowledged after so many kills. */
  readonly onVerified?: (kills: number, writers: Pick<Writers, 'acknowledged' | 'compared'>) => void
}

const megabyte = 1_000_000

/** In so many rounds there is one power cut on a data folder, and one further kill during the start: both take long. */
const powerCutEvery = 4

/** Milliseconds of writes before a kill. */
const shortestLoad = 50
const longestLoad = 1500

/** Writes that the surviving process acknowledges after a kill, at most, and the milliseconds that they may take. */
const maxWrites = 40
const maxDuration = 5000

const runRounds = async (
  {
    stores,
    services,
    rounds,
    listsEvery = 1,
    longest = longestLoad,
    longThreads = [],
    random,
    ignored,
    onVerified,
  }: Kills,
  findings: string[],
): Promise<void> => {
  let token: string | null = null
  let writers: Writers | null = null
  const clientOf = ({ url }: ServiceProcess): ServiceClient => ({ url, api: createApi(`${url}/1`, token) })
  const verify = async (service: ServiceProcess, round: number): Promise<Writers> => {
    token ??= await fetchToken(service.url)
    writers ??= await createWriters(clientOf(service), random, longThreads)
    const isThorough = round === rounds || (round + 1) % 20 === 0
    const lists = isThorough ? 'all' : (round + 1) % listsEvery === 0 ? 'some' : 'none'
    findings.push(...(await writers.verify(clientOf(service), { lists })), ...stores.check())
    return writers
  }
  /** Waits for a random number of acknowledged writes, or until the load has ended. */
  const waitForWrites = async ({ acknowledged }: Writers, load: Promise<unknown>): Promise<void> => {
    const enough = acknowledged() + random.below(maxWrites)
    const deadline = performance.now() + maxDuration
    let isOver = false
    void load.finally(() => (isOver = true))
    while (!isOver && acknowledged() < enough && performance.now() < deadline) await setTimeout(2)
  }
  const running: (ServiceProcess | undefined)[] = []
  const startMissing = async (environment?: Environment): Promise<readonly ServiceProcess[]> => {
    for (const process of ([0, 1] as const).slice(0, services))
      running[process] ??= await stores.start(process, environment)
    return running.filter((service) => service !== undefined)
  }
  const killOne = async (round: number, environment?: Environment): Promise<void> => {
    const all = await startMissing(environment)
    const killed = random.below(services)
    const [victim, survivor] = killed === 0 ? all : all.toReversed()
    if (victim === undefined) throw new Error('no service has started')
    const current = await verify(victim, round)
    if (findings.length > 0) return
    onVerified?.(round, current)
    let isOver = false
    const writing = current.run(all.map(clientOf), () => isOver)
    if (round % 2 === 1) {
      // An upload that the kill may interrupt in its middle.
      const pause = random.below(2) === 0 ? () => victim.kill() : async () => undefined
      await current.uploadLarge(clientOf(victim), (1 + random.below(8)) * megabyte, pause)
    }
    await setTimeout(shortestLoad + random.below(longest - shortestLoad))
    await victim.kill()
    running[killed] = undefined
    if (survivor !== undefined) {
      await waitForWrites(current, writing)
      isOver = true
    }
    const loads = await writing
    findings.push(...victim.defects(), ...loads.flatMap(({ faults }) => faults))
    if (survivor === undefined) return
    if ((loads[all.indexOf(survivor)]?.broken ?? 0) > 0)
      findings.push('the surviving process broke connections')
    findings.push(
      ...(await current.verify(clientOf(survivor), { lists: 'none', isStarted: false })),
      ...survivor.defects(),
    )
  }
  for (let round = 0; round < rounds && findings.length === 0; round += 1) {
    const saved =
      stores.folder === null || services === 2 || round % powerCutEvery > 0
        ? null
        : await saveSynchronized(stores.folder, ignored)
    await killOne(round, saved?.environment)
    if (services === 1 && round % powerCutEvery === 1) await stores.startAndKill(random.below(1500))
    await saved?.cutPower()
    await saved?.remove()
  }
  if (findings.length > 0) return
  const [last] = await startMissing()
  if (last === undefined) return
  const verified = await verify(last, rounds)
  onVerified?.(rounds, verified)
  const code = await last.stop()
  if (code !== 0) findings.push(`the last service ended with exit code ${String(code)}`)
  findings.push(...last.defects())
}

/**
 * Lost and half-written values, inconsistencies, failed starts, defects in the log, and undocumented responses. The
 * first round with findings is the last.
 */
export const findAfterKills = async (kills: Kills): Promise<readonly string[]> => {
  const findings: string[] = []
  try {
    await runRounds(kills, findings)
  } catch (error) {
    findings.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await killRemaining()
  }
  findings.push(...takeCrashes())
  return findings
}
