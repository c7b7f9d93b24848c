import { fault, type Fault } from '../fault.js'

const path = 'confirm'
const beginning = 'must be true: '

/** Why a change with these effects needs a confirmation; null if it has none (docs/behaviour/administration.md#confirmation). */
export const confirmFault = (effects: readonly string[]): Fault | null =>
  effects.length === 0 ? null : fault(path, `${beginning}${effects.join(', and ')}`)

/** The effects that a confirmation is needed for; null if the faults are others. */
export const unconfirmedEffects = (faults: readonly Fault[]): string | null =>
  faults
    .find((each) => each.path === path && each.message.startsWith(beginning))
    ?.message.slice(beginning.length) ?? null
