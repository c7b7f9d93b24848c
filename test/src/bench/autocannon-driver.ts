/** Drives a load with autocannon, in a process of its own so that it doesn't share an event loop with the checks. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Load, LoadDriver, LoadResult } from './load-driver.js'

/** A load as it goes to the other process. */
export type SentLoad = Omit<Load, 'expected'> & {
  readonly expected: Omit<Load['expected'], 'body'> & { readonly body: string | null }
}

const program = fileURLToPath(new URL('autocannon-process.js', import.meta.url))

/** `prefix` goes before the command, as taskset does. */
export const autocannonDriver = (version: string, prefix: readonly string[]): LoadDriver => ({
  name: 'autocannon',
  version,
  run: ({ expected, ...load }) =>
    new Promise((resolve, reject) => {
      const [first, ...rest] = [...prefix, process.execPath]
      const child = fork(program, [], { execPath: first ?? process.execPath, execArgv: rest })
      let result: LoadResult | null = null
      child.once('error', reject)
      child.once('message', (message) => {
        result = message as LoadResult
      })
      child.once('close', (code) => {
        if (result === null) reject(new Error(`autocannon ended with ${code}, without a result`))
        else resolve(result)
      })
      const sent: SentLoad = {
        ...load,
        expected: { ...expected, body: expected.body?.toString('base64') ?? null },
      }
      child.send(sent)
    }),
})
