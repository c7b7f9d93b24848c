/** Questions on the terminal. */
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { exitCodes } from '@publishing-service/composition-root'
import { E, type Either, type Loss } from '@publishing-service/domain'
import type { TaskFailure } from './admin-task.js'

export type Terminal = { readonly input: Readable & { readonly isTTY?: boolean }; readonly output: Writable }

/** Reads answers from standard input. Questions are written to standard error, because standard output has the result. */
export const ownTerminal: Terminal = { input: process.stdin, output: process.stderr }

/** The line that was typed; null without a terminal, or if the input ends. */
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

/** Whether the answer is yes; null without a terminal. */
export const confirm = async (terminal: Terminal, question: string): Promise<boolean | null> => {
  const answer = await ask(terminal, `${question} (yes or no)`)
  return answer === null ? null : /^\s*y(es)?\s*$/i.test(answer)
}

/** Confirms a change after which no admin key or no operator key is left. Fails if the answer is no, or without a terminal. */
export const confirmLoss = async (
  what: string,
  { instances, operator }: Loss,
  isConfirmed: boolean,
): Promise<Either<TaskFailure, void>> => {
  if (isConfirmed || (instances.length === 0 && !operator)) return E.right(undefined)
  const text =
    instances.length === 0
      ? `${what} is the last of an operator: no client can administer users and instances over the API afterwards`
      : `${what} is the last with the role admin on instance ${instances.join(', ')}: no client can change its settings and ` +
        'sections over the API afterwards'
  const answer = await confirm(ownTerminal, `${text}. Revoke it anyway?`)
  if (answer === true) return E.right(undefined)
  const line = answer === null ? `${text}. Add --yes to revoke it anyway` : 'it was not confirmed'
  return E.left({ code: exitCodes.refused, lines: [line] })
}
