/** A service with workers, as processes that can be looked at and killed. */
import { readFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { startServiceProcess, type Environment, type ServiceProcess } from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { createApi, oneConnection, type Api } from '../harness/http-client.js'

/** The processes that a process has started and that run. */
export const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Whether a process runs: one that has ended and of which nobody has taken note is none. */
export const runs = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat !== null && !/\) [ZX] /.test(stat)
}

const parsed = (line: string): JsonObject | null => {
  if (!line.startsWith('{')) return null
  const value: unknown = JSON.parse(line)
  return isJsonObject(value) ? value : null
}

/** The lines of the log of an event. */
export const logged = (service: ServiceProcess, event: string): readonly JsonObject[] =>
  service.output().flatMap((line) => {
    const found = line.includes(`"event":"${event}"`) ? parsed(line) : null
    return found === null ? [] : [found]
  })

/** Waits until so many workers have begun to serve, those that have been replaced included. */
export const untilListening = async (service: ServiceProcess, count: number): Promise<void> => {
  await waitFor(`${count} workers listen`, async () =>
    logged(service, 'listening').length >= count ? true : null,
  )
}

/** Starts a service with so many workers, and waits until all serve. */
export const startWorkers = async (
  folder: string,
  workers: number,
  environment: Environment = {},
): Promise<ServiceProcess> => {
  const service = await startServiceProcess(folder, {
    LOG_LEVEL: 'info',
    WORKERS: String(workers),
    ...environment,
  })
  await untilListening(service, workers)
  return service
}

/** A client of each of two workers: connections are passed in turn. */
export const clientsOfWorkers = async (
  service: ServiceProcess,
  token: string,
): Promise<readonly [Api, Api]> => {
  const found = new Map<unknown, Api>()
  while (found.size < 2) {
    const api = createApi(`${service.url}/1`, token, oneConnection())
    const request = (await api.get('/sections')).headers['x-request-id']
    const line = await waitFor(
      'the log',
      async () => logged(service, 'request').find((each) => each['request'] === request) ?? null,
    )
    found.set(line['worker'], api)
  }
  const [one, other] = [...found.values()]
  if (one === undefined || other === undefined) throw new Error('no clients')
  return [one, other]
}
