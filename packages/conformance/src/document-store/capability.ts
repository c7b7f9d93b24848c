/**
 * Promises that a store may be unable to keep: each is a fact about the store or a deviation with its reason.
 * A deviation stands in the test report under the port's own words.
 */
import { it } from 'mocha'
import { expect } from 'chai'

/** Why a store doesn't keep a promise; for whoever chooses a store. */
export type Deviation = { readonly deviation: string }

export const deviates = <A>(capability: A | Deviation): capability is Deviation =>
  typeof capability === 'object' && capability !== null && 'deviation' in capability

/** Declares the tests of a promise, or one that states the deviation. */
export const whereKept = <A>(
  capability: A | Deviation,
  promise: string,
  declare: (capability: A) => void,
): void => {
  if (!deviates(capability)) return declare(capability)
  it(`deviates: ${promise}: ${capability.deviation}`, () => {
    expect(capability.deviation.trim(), 'the reason').not.to.equal('')
  })
}
