/** A program of a thread: it runs the functions for messages that name them. */
import { parentPort, type MessagePort } from 'node:worker_threads'

type Call = { readonly name: string; readonly task: never; readonly port: MessagePort }

/** Outside of a thread it does nothing. */
export const answerCalls = (functions: Readonly<Record<string, (task: never) => Promise<unknown>>>): void => {
  parentPort?.on('message', async ({ name, task, port }: Call) => {
    try {
      port.postMessage({ result: await functions[name]?.(task) })
    } catch (error) {
      port.postMessage({ error: error instanceof Error ? error.message : String(error) })
    } finally {
      port.close()
    }
  })
}
