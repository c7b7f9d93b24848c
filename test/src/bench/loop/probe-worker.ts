/** A thread that requests one address again and again, and reports how long each response took, in milliseconds. */
import { Agent, request } from 'node:http'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const pauseBetween = 5

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const durations: number[] = []
let isRunning = true
parentPort?.once('message', () => (isRunning = false))
while (isRunning) {
  const started = performance.now()
  const answered = async (): Promise<void> => {
    const sent = request(String(workerData), { agent }).end()
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
    await once(response.resume(), 'end')
  }
  // No response, where the service has gone, counts as the time until that was known.
  await answered().catch(() => undefined)
  durations.push(performance.now() - started)
  await wait(pauseBetween)
}
agent.destroy()
parentPort?.postMessage(durations)
