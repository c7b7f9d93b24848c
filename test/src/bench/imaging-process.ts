/**
 * The service in a process that can be asked about itself: how late its event loop was, and how long the bare library
 * takes for the same picture in a warm worker beside it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { startService } from '@publishing-service/composition-root'
import { configurationOf } from '../harness/start-test-service.js'
import type { BareJob } from './bare-scaling-process.js'
import { ownInstance, tokenFor } from './publication.js'

export type Question =
  | { readonly ask: 'scale bare'; readonly job: BareJob }
  | { readonly ask: 'watch the event loop' }
  | { readonly ask: 'how late it was' }

/** Seconds for a bare call; milliseconds, at p99 and at worst, for the event loop. */
export type Reply = { readonly seconds: number } | { readonly p99: number; readonly most: number } | null

export type Opened = { readonly url: string; readonly instance: number; readonly token: string }

const configuration = configurationOf({
  DATA_DIR: process.argv[2] ?? '',
  IMAGING: process.argv[3] ?? '',
  SCALING_JOBS: process.argv[4] ?? '',
  PORT: '0',
  LOG_LEVEL: 'error',
})

const bare = new Worker(new URL('bare-scaling-process.js', import.meta.url))

const scaledBare = (job: BareJob): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    bare.removeAllListeners('error').once('error', reject)
    bare.once('message', () => resolve({ seconds: (performance.now() - started) / 1000 }))
    const data = new Uint8Array(job.data)
    bare.postMessage({ ...job, data }, [data.buffer])
  })

const resolution = 1
const delay = monitorEventLoopDelay({ resolution })

const answer = async (question: Question): Promise<Reply> => {
  switch (question.ask) {
    case 'scale bare':
      return scaledBare(question.job)
    case 'watch the event loop':
      delay.reset()
      delay.enable()
      return null
    case 'how late it was':
      delay.disable()
      // Its figures are times between two looks, of which one lasts as long as it was told to.
      return { p99: delay.percentile(99) / 1e6 - resolution, most: delay.max / 1e6 - resolution }
  }
}

const service = await startService(configuration)
const instance = await ownInstance(service)
process.on('message', (question) => {
  void answer(question as Question).then((reply) => process.send?.(reply ?? {}))
})
process.once('disconnect', () => void service.stop(0).then(() => process.exit(0)))
process.send?.({
  url: service.url,
  instance,
  token: await tokenFor(service, instance, 'editor'),
} satisfies Opened)
