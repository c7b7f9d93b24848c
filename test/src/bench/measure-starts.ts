/** Cold starts: from the start of a process to its first 200, the service and the bare servers in turn. */
import { floors, startFloor, startServedService, type ServerName } from './served.js'
import { spreadOf, type Spread } from './spread.js'

/** Seconds. The service starts on data that exists and code that is built. */
export type StartTimes = Readonly<Record<ServerName, Spread>>

export const measureStarts = async (
  dataDirectory: string,
  times: number,
  prefix: readonly string[],
  progress: (text: string) => void,
): Promise<StartTimes> => {
  const seconds: Record<ServerName, number[]> = { service: [], 'node:http': [], Koa: [] }
  // The first start after the data was written reads it from disk; it is not counted.
  await (await startServedService(dataDirectory, prefix)).stop()
  for (let time = 0; time < times; time += 1) {
    progress(`cold start ${time + 1} of ${times}`)
    const service = await startServedService(dataDirectory, prefix)
    seconds.service.push(service.startSeconds)
    await service.stop()
    for (const name of floors) {
      const floor = await startFloor(name, prefix)
      seconds[name].push(floor.startSeconds)
      await floor.stop()
    }
  }
  return {
    service: spreadOf(seconds.service),
    'node:http': spreadOf(seconds['node:http']),
    Koa: spreadOf(seconds.Koa),
  }
}
