/**
 * Targets of concurrent writes: one service on each combination of stores, and two services on one data directory.
 */
import { createApi, type Api } from '../harness/http-client.js'
import { createPublication } from '../harness/publication.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'
import { makeFilledFolder } from './data-folder.js'

export type WriteTarget = {
  /** Clients of one admin of one publication, one for each service. Writers alternate between them. */
  readonly clients: readonly [Api, Api]
  readonly close: () => Promise<void>
}

/** A target whose services run in the process of the tests, with controlled clocks. */
export type ControlledWriteTarget = WriteTarget & { readonly services: readonly TestService[] }

const openOneService = (environment: Readonly<Record<string, string>>) => async (): Promise<WriteTarget> => {
  const service = await startTestService(environment)
  const { admin } = await createPublication(service)
  return { clients: [admin, admin], close: () => service.stop() }
}

/** Two services with separate clocks on one data directory. */
export const openTwoServices = async (): Promise<ControlledWriteTarget> => {
  const folder = await makeFilledFolder()
  const environment = { STORE: 'sqlite', BLOBS: 'filesystem', DATA_DIR: folder.path }
  const one = await startTestService(environment)
  const other = await startTestService(environment)
  const { admin, number } = await createPublication(one)
  return {
    services: [one, other],
    clients: [admin, createApi(`${other.url}/${number}`, admin.token)],
    close: async () => {
      await one.stop()
      await other.stop()
      await folder.remove()
    },
  }
}

export const writeTargets: readonly { readonly name: string; readonly open: () => Promise<WriteTarget> }[] = [
  ...combinations.map(({ name, environment }) => ({ name, open: openOneService(environment) })),
  { name: 'two services on one data folder', open: openTwoServices },
]

/** Sends this many concurrent requests, alternating between the clients. */
export const sendConcurrently = <A>(
  { clients }: WriteTarget,
  count: number,
  send: (api: Api, index: number) => Promise<A>,
): Promise<readonly A[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(clients[index % 2 === 0 ? 0 : 1], index)))
