/** Confirms a change after which an instance has no admin key. */
import { E, type Either } from '@publishing-service/domain'
import { exitCodes } from '@publishing-service/composition-root'
import type { Refusal } from './admin-task.js'
import { confirm, ownTerminal } from './ask.js'

const lossText = (what: string, instances: readonly number[]): string =>
  `${what} is the last with the role admin on instance ${instances.join(', ')}: nobody can change its settings and ` +
  'sections over the API afterwards'

/** Refuses where the answer is no, and where there is no terminal to ask on. */
export const confirmLoss = async (
  what: string,
  instances: readonly number[],
  isConfirmed: boolean,
): Promise<Either<Refusal, void>> => {
  if (isConfirmed || instances.length === 0) return E.right(undefined)
  const text = lossText(what, instances)
  const answer = await confirm(ownTerminal, `${text}. Revoke it all the same?`)
  if (answer === true) return E.right(undefined)
  const line = answer === null ? `${text}. Add --yes to revoke it all the same` : 'it was not confirmed'
  return E.left({ code: exitCodes.refused, lines: [line] })
}
