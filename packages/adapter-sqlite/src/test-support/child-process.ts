/** Runs another process of this package's tests, and reads what it prints line by line. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Child = {
  readonly process: ChildProcess
  readonly lines: AsyncIterable<string>
  /** Resolves when it has ended: its exit code or signal. */
  readonly ended: Promise<number | string>
}

export const child = (script: URL, ...words: readonly string[]): Child => {
  const started = spawn(process.execPath, [fileURLToPath(script), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(started, 'close').then(
    ([code, signal]: (number | string | null)[]) => code ?? signal ?? 'unknown',
  )
  return { process: started, lines: createInterface({ input: started.stdout }), ended }
}
