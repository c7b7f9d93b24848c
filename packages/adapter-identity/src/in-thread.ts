/**
 * Runs the functions of a program in a thread that starts with the first call and ends after a minute without one: what
 * the program imports costs neither time at the start of the service nor memory while nobody needs it.
 */
import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'

const idleTime = 60_000

/** Functions that a thread runs. Tasks and results are copied. */
type Functions = Readonly<Record<string, (task: never) => Promise<unknown>>>

type Thread = {
  readonly worker: Worker
  readonly ended: AbortController
  /** Ends the thread, unless a call comes first. */
  idle: NodeJS.Timeout | null
  calls: number
}

/**
 * `program` answers calls (`answer-calls.ts`). A thread that fails rejects its calls; the next call starts another one, whose
 * imports are tried again.
 */
export const inThread = <F extends Functions>(program: URL) => {
  let present: Thread | null = null

  const start = (): Thread => {
    const worker = new Worker(program)
    const thread: Thread = { worker, ended: new AbortController(), idle: null, calls: 0 }
    const end = (reason: Error): void => {
      if (present === thread) present = null
      thread.ended.abort(reason)
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error('The thread has ended')))
    // What waits for a result keeps the process alive, and nothing else.
    worker.unref()
    return thread
  }

  const endWhenIdle = (thread: Thread): void => {
    thread.idle = setTimeout(() => {
      if (present === thread) present = null
      void thread.worker.terminate()
    }, idleTime).unref()
  }

  return async <N extends keyof F & string>(
    name: N,
    task: Parameters<F[N]>[0],
  ): Promise<Awaited<ReturnType<F[N]>>> => {
    const thread = (present ??= start())
    if (thread.idle !== null) clearTimeout(thread.idle)
    thread.calls += 1
    const { port1: here, port2: there } = new MessageChannel()
    try {
      thread.worker.postMessage({ name, task, port: there }, [there])
      const [{ result, error }] = await once(here, 'message', { signal: thread.ended.signal })
      if (error !== undefined) throw new Error(error)
      return result
    } catch (error) {
      const { reason } = thread.ended.signal
      throw thread.ended.signal.aborted ? reason : error
    } finally {
      here.close()
      thread.calls -= 1
      if (thread.calls === 0) endWhenIdle(thread)
    }
  }
}
