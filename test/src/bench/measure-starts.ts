/** Cold starts: from the start of a process to its first 200, of the service and of the baseline servers alternately. */
import { baselines, startBaseline, startServedService, type ServerName } from './served.js'
import { spreadOf, type Spread } from './spread.js'

/** Seconds. The service starts on data that exists and code that is built. */
export type StartTimes = Readonly<Record<ServerName, Spread>>

/** The duration of a start of the service, divided by that of node:http. */
export const startRatioOf = (starts: StartTimes): number => starts.service.median / starts['node:http'].median

export const measureStarts = async (
  dataDirectory: string,
  times: number,
  progress: (text: string) => void,
): Promise<StartTimes> => {
  const seconds: Record<ServerName, number[]> = { service: [], 'node:http': [] }
  // The first start after the data was written reads it from disk; it is not counted.
  await (await startServedService(dataDirectory)).stop()
  for (let time = 0; time < times; time += 1) {
    progress(`cold start ${time + 1} of ${times}`)
    const service = await startServedService(dataDirectory)
    seconds.service.push(service.startSeconds)
    await service.stop()
    for (const name of baselines) {
      const baseline = await startBaseline(name)
      seconds[name].push(baseline.startSeconds)
      await baseline.stop()
    }
  }
  return {
    service: spreadOf(seconds.service),
    'node:http': spreadOf(seconds['node:http']),
  }
}
