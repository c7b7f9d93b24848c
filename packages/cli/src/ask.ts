/** Questions on the terminal. */
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { attempt, unwrap } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import type { Parameters } from '@publishing-service/domain/lists'
import { unconfirmedEffects } from '@publishing-service/access'
import { refusal } from './command-failure.js'

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

const confirmed: Parameters = { confirm: 'true' }

/**
 * Makes a change, and asks where it needs a confirmation, which `--yes` gives at once. Fails if the answer is no, or
 * without a terminal.
 */
export const changeConfirmed = async <A>(
  change: (parameters: Parameters) => Promise<A>,
  { yes }: { readonly yes?: true },
): Promise<A> => {
  const first = await attempt(() => change(yes === true ? confirmed : {}))
  const effects =
    E.isLeft(first) && first.left._tag === 'BadParameters' ? unconfirmedEffects(first.left.faults) : null
  if (effects === null) return unwrap(first)
  const answer = await confirm(ownTerminal, `With this change, ${effects}. Make it anyway?`)
  if (answer === true) return change(confirmed)
  throw refusal(
    answer === null ? `with this change, ${effects}. Add --yes to make it anyway` : 'it was not confirmed',
  )
}
