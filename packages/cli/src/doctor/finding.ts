/** What a check has found: one line, and what to do about it. */

/** `skipped` is what could not be examined, or has nothing to examine. */
export type FindingState = 'fine' | 'skipped' | 'warning' | 'fault'

export type Finding = {
  readonly state: FindingState
  readonly found: string
  /** Null where there is nothing to do. */
  readonly advice: string | null
}

export const fine = (found: string): Finding => ({ state: 'fine', found, advice: null })
export const skipped = (found: string): Finding => ({ state: 'skipped', found, advice: null })
/** Something that works, and that an operator should change. */
export const warning = (found: string, advice: string): Finding => ({ state: 'warning', found, advice })
/** Something that does not work, or is not safe. */
export const fault = (found: string, advice: string): Finding => ({ state: 'fault', found, advice })

/** These findings, or a single good one if there are none. */
export const orFine = (findings: readonly Finding[], found: string): readonly Finding[] =>
  findings.length > 0 ? findings : [fine(found)]
