/**
 * Targets of concurrent writes: one service on each combination of stores, and two services on one data directory.
 */
import { createApi, type Api } from '../harness/http-client.js'
import { createPublication } from '../harness/publication.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'
import { makeDataFolder } from './data-folder.js'

export type Place = {
  /** Clients of one admin of one publication, one for each service. Writers alternate between them. */
  readonly ways: readonly [Api, Api]
  readonly close: () => Promise<void>
}

/** A target whose services run in the process of the tests, with controlled clocks. */
export type ClockedPlace = Place & { readonly services: readonly TestService[] }

const onOne = (environment: Readonly<Record<string, string>>) => async (): Promise<Place> => {
  const service = await startTestService(environment)
  const { admin } = await createPublication(service)
  return { ways: [admin, admin], close: () => service.stop() }
}

/** Two services with separate clocks, on the stores that the environment names. */
export const onTwoOf = async (
  environment: Readonly<Record<string, string>>,
  remove: () => Promise<void>,
): Promise<ClockedPlace> => {
  const one = await startTestService(environment)
  const other = await startTestService(environment)
  const { admin, number } = await createPublication(one)
  return {
    services: [one, other],
    ways: [admin, createApi(`${other.url}/${number}`, admin.token)],
    close: async () => {
      await one.stop()
      await other.stop()
      await remove()
    },
  }
}

/** Two services on one data directory. */
export const onTwo = async (): Promise<ClockedPlace> => {
  const folder = await makeDataFolder()
  return onTwoOf({ STORE: 'sqlite', BLOBS: 'filesystem', DATA_DIR: folder.path }, () => folder.remove())
}

export const places: readonly { readonly name: string; readonly open: () => Promise<Place> }[] = [
  ...combinations.map(({ name, environment }) => ({ name, open: onOne(environment) })),
  { name: 'two services on one data folder', open: onTwo },
]

/** Sends this many concurrent requests, alternating between the clients. */
export const together = <A>(
  { ways }: Place,
  count: number,
  send: (api: Api, index: number) => Promise<A>,
): Promise<readonly A[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(ways[index % 2 === 0 ? 0 : 1], index)))
