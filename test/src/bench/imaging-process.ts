/** The service in a process that reports the delay of its event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startService } from '@publishing-service/composition-root'
import { configurationOf } from '../harness/start-test-service.js'
import { ownInstance, tokenFor } from './publication.js'

export type RowRequest = { readonly ask: 'watch the event loop' } | { readonly ask: 'how late it was' }

/** In milliseconds, at p99 and at worst. */
export type Reply = { readonly p99: number; readonly most: number } | null

export type Opened = { readonly url: string; readonly instance: number; readonly token: string }

const configuration = configurationOf({
  DATA_DIR: process.argv[2] ?? '',
  IMAGING: process.argv[3] ?? '',
  SCALING_JOBS: process.argv[4] ?? '',
  PORT: '0',
  LOG_LEVEL: 'error',
})

const resolution = 1
const delay = monitorEventLoopDelay({ resolution })

const response = (request: RowRequest): Reply => {
  switch (request.ask) {
    case 'watch the event loop':
      delay.reset()
      delay.enable()
      return null
    case 'how late it was':
      delay.disable()
      // Its figures are times between two looks, of which one lasts as long as it was sent to.
      return { p99: delay.percentile(99) / 1e6 - resolution, most: delay.max / 1e6 - resolution }
  }
}

const service = await startService(configuration)
const instance = await ownInstance(service)
process.on('message', (request) => {
  process.send?.(response(request as RowRequest))
})
process.once('disconnect', () => void service.stop(0).then(() => process.exit(0)))
process.send?.({
  url: service.url,
  instance,
  token: await tokenFor(service, instance, 'editor'),
} satisfies Opened)
