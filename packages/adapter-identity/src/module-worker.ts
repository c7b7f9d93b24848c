/** The program of a thread: it imports a module, and runs its functions for messages that name them. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'

type Call = { readonly name: string; readonly task: unknown; readonly port: MessagePort }

const functions: Readonly<Record<string, (task: unknown) => Promise<unknown>>> = await import(workerData)

parentPort?.on('message', async ({ name, task, port }: Call) => {
  try {
    port.postMessage({ result: await functions[name]?.(task) })
  } catch (error) {
    port.postMessage({ error: error instanceof Error ? error.message : String(error) })
  } finally {
    port.close()
  }
})
