/** Questions to the person who runs a command, on its terminal. */
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'

export type Terminal = { readonly input: Readable & { readonly isTTY?: boolean }; readonly output: Writable }

/** Answers come from the standard input; questions are written to the standard error, since the output is the result. */
export const ownTerminal: Terminal = { input: process.stdin, output: process.stderr }

/** The line that was typed; null where there is no terminal, or where the input ends. */
export const ask = async ({ input, output }: Terminal, question: string): Promise<string | null> => {
  if (input.isTTY !== true) return null
  const lines = createInterface({ input, output })
  try {
    const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
    return await Promise.race([lines.question(`${question} `), ended])
  } finally {
    lines.close()
  }
}

/** Whether the answer to a question is yes; null where there is no terminal. */
export const confirm = async (terminal: Terminal, question: string): Promise<boolean | null> => {
  const answer = await ask(terminal, `${question} (yes or no)`)
  return answer === null ? null : /^\s*y(es)?\s*$/i.test(answer)
}
