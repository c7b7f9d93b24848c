/**
 * The service as a process whose clock runs faster than that of the machine, timers included. A library that is preloaded into
 * the process, libfaketime, answers what it asks of the clock.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startServiceProcess, type Environment, type ServiceProcess } from './service-process.js'

/** A time of the clock of the service, in milliseconds, as far as it is known: it is between the two. */
export type TimeSpan = { readonly earliest: number; readonly latest: number }

export type FastService = ServiceProcess & {
  /** What the clock of the service shows now. */
  readonly now: () => TimeSpan
  /** A time that the service has told in a response, which was requested and received at these times of `performance.now`. */
  readonly told: (time: number, requested: number, received: number) => void
}

const library = 'libfaketimeMT.so.1'

/** Debian puts it into a folder that is named after the processor. */
const findLibrary = async (): Promise<string> => {
  const found = await readdir('/usr/lib').catch((): string[] => [])
  for (const folder of ['', ...found]) {
    const directory = join('/usr/lib', folder, 'faketime')
    const names = await readdir(directory).catch((): string[] => [])
    if (names.includes(library)) return join(directory, library)
  }
  throw new Error(
    `A service with a fast clock requires Linux and ${library} (Debian: apt-get install faketime)`,
  )
}

/** The form of libfaketime, in UTC. */
const written = (time: number): string => new Date(time).toISOString().replace('T', ' ').slice(0, 19)

/** Starts the service at this time, from which its clock runs at `speed` times that of the machine. */
export const startFastService = async (
  folder: string,
  environment: Environment,
  { from, speed }: { readonly from: number; readonly speed: number },
): Promise<FastService> => {
  const began = performance.now()
  const service = await startServiceProcess(folder, {
    TZ: 'UTC',
    LD_PRELOAD: await findLibrary(),
    // Times of files stay those of the machine.
    NO_FAKE_STAT: '1',
    FAKETIME: `@${written(from)} x${speed}`,
    ...environment,
  })
  // What the clock of the service shows is `offset + speed · performance.now()`. It began after it was started.
  let [least, most] = [Number.NEGATIVE_INFINITY, from - speed * began]
  const told = (time: number, requested: number, received: number): void => {
    least = Math.max(least, time - speed * received)
    most = Math.min(most, time - speed * requested)
  }
  const requested = performance.now()
  const { headers } = await fetch(`${service.url}/health/ready`, { headers: { Connection: 'close' } })
  const date = Date.parse(headers.get('date') ?? '')
  // The header has no milliseconds, and is renewed each second of the service. The next times that are told are more precise.
  least = date - speed * performance.now()
  most = Math.min(most, date + 60_000 - speed * requested)
  return {
    ...service,
    now: () => {
      const elapsed = speed * performance.now()
      return { earliest: least + elapsed, latest: most + elapsed }
    },
    told,
  }
}
