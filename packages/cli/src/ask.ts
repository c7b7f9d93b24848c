/** Questions on the terminal. */
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { exitCodes } from '@publishing-service/composition-root'
import { E, pipe, unconfirmedEffects, type Either } from '@publishing-service/domain'
import type { Failure, Outcome } from '@publishing-service/application'
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

/**
 * Runs a change, and asks where it needs a confirmation, which `--yes` gives at once. Fails if the answer is no, or
 * without a terminal.
 */
export const runConfirmed = async <A>(
  run: (isConfirmed: boolean) => Outcome<A>,
  isConfirmed: boolean,
  failureOf: (failure: Failure) => TaskFailure,
): Promise<Either<TaskFailure, A>> => {
  const first = await run(isConfirmed)()
  if (E.isRight(first)) return first
  const effects = first.left._tag === 'BadParameters' ? unconfirmedEffects(first.left.faults) : null
  if (effects === null) return E.left(failureOf(first.left))
  const answer = await confirm(ownTerminal, `With this change, ${effects}. Make it anyway?`)
  if (answer === true) return pipe(await run(true)(), E.mapLeft(failureOf))
  const line =
    answer === null ? `with this change, ${effects}. Add --yes to make it anyway` : 'it was not confirmed'
  return E.left({ code: exitCodes.refused, lines: [line] })
}
