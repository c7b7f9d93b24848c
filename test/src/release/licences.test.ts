import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { judgeLicences } from './licences.js'

const billOf = (components: Readonly<Record<string, readonly JsonObject[]>>) => ({
  components: Object.entries(components).map(([ref, licenses]) => ({
    'bom-ref': ref,
    ...(licenses.length === 0 ? {} : { licenses }),
  })),
})
const named = (id: string) => [{ license: { id } }]
const expression = (text: string) => [{ expression: text }]

describe('the licences of a bill', () => {
  const faultsOf = (licenses: readonly JsonObject[]) =>
    judgeLicences(billOf({ 'one@1.0.0': licenses }), {}).faults

  it('may be on the list, or a choice of which one is', () => {
    for (const id of ['MIT', '0BSD', 'BlueOak-1.0.0', 'MIT-0', 'CC0-1.0', 'Python-2.0', 'Unlicense'])
      expect(faultsOf(named(id)), id).to.deep.equal([])
    for (const text of ['(MIT OR GPL-3.0-only)', 'MIT AND ISC', '(MIT OR WTFPL)'])
      expect(faultsOf(expression(text)), text).to.deep.equal([])
  })

  it('may not be another one, a part that is another one, none, or no licence of SPDX', () => {
    for (const licenses of [
      named('LGPL-3.0-or-later'),
      expression('MIT AND GPL-3.0-only'),
      [],
      [{ license: { name: 'SEE LICENSE IN LICENSE' } }],
      [{ license: { name: 'UNLICENSED' } }],
      [...named('MIT'), ...named('GPL-3.0-only')],
    ]) {
      const [fault, ...others] = faultsOf(licenses)
      expect(fault, JSON.stringify(licenses)).to.include('one@1.0.0')
      expect(others).to.deep.equal([])
    }
  })

  it('are those of an exception for the same version, which must be needed', () => {
    const exceptions = { 'old@1.0.0': { licence: 'MIT', reason: 'its LICENSE says so' } }
    expect(
      judgeLicences(
        billOf({ 'old@1.0.0': [], 'one@1.0.0': named('ISC'), 'two@1.0.0': named('MIT') }),
        exceptions,
      ),
    ).to.deep.equal({
      counts: { MIT: 2, ISC: 1 },
      faults: [],
    })
    expect(judgeLicences(billOf({ 'old@1.0.1': [] }), exceptions).faults).to.have.lengthOf(2)
    expect(judgeLicences(billOf({ 'old@1.0.0': named('MIT') }), exceptions).faults).to.have.lengthOf(1)
  })
})
