import { fault, type Fault } from '../fault.js'

const path = 'confirm'
const beginning = 'must be true: '

/** Why a change with these effects needs a confirmation; null if it has none (docs/behaviour/administration.md#confirmation). */
export const confirmFault = (effects: readonly string[]): Fault | null =>
  effects.length === 0 ? null : fault(path, 'confirmation', `${beginning}${effects.join(', and ')}`)

/** The effects that a confirmation is needed for; null if the faults are others. */
export const unconfirmedEffects = (faults: readonly Fault[]): string | null =>
  faults
    .find((each) => each.code === 'confirmation' && each.path === path)
    ?.message.slice(beginning.length) ?? null
