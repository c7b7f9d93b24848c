/** A check: a part of a deployment, what it depends on, and how it is examined. */
import { errorText } from '@publishing-service/composition-root'
import { fault, skipped, type Finding } from './finding.js'
import type { Surroundings } from './surroundings.js'

export type Check = {
  /** The part that it examines. */
  readonly name: string
  /** What it examines of it, for the documentation. */
  readonly examines: string
  /** Variables without which it says nothing: it is skipped if one of them is wrong. */
  readonly needs: readonly string[] | ((surroundings: Surroundings) => readonly string[])
  /** What to do if the examination itself fails. */
  readonly advice: string
  /** What it throws is a fault. */
  readonly examine: (surroundings: Surroundings) => Promise<readonly Finding[]>
}

/** Longer than any check waits for anything, in milliseconds. */
const patience = 45_000

const late = (milliseconds: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    setTimeout(
      () => reject(new Error(`no result within ${milliseconds / 1000} seconds`)),
      milliseconds,
    ).unref()
  })

/** The reason of what was thrown, in one line. */
const reasonOf = (error: unknown): string => {
  const isFailure = typeof error === 'object' && error !== null && 'part' in error && 'reason' in error
  const text = isFailure ? `${String(error.part)}: ${String(error.reason)}` : errorText(error)
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** What a check finds. Never rejects. */
export const findingsOf = async (
  { needs, advice, examine }: Check,
  surroundings: Surroundings,
): Promise<readonly Finding[]> => {
  const wrong = new Set(surroundings.wrong.flatMap(({ names }) => names))
  const needed = typeof needs === 'function' ? needs(surroundings) : needs
  const unusable = needed.filter((name) => wrong.has(name))
  if (unusable.length > 0) return [skipped(`not examined, because ${unusable.join(', ')} cannot be used`)]
  try {
    return await Promise.race([examine(surroundings), late(patience)])
  } catch (error) {
    return [fault(reasonOf(error), advice)]
  }
}
