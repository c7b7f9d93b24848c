/**
 * Hostile images do no harm: each has the expected response, memory is bounded, other requests are served meanwhile,
 * and the service continues. `npm run bombs` prints the measurements.
 */
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { killRemaining } from '../durability/service-process.js'
import { hostileInputs } from './hostile-inputs.js'
import { runHostile, type HostileRun } from './measure-hostile.js'

/** In bytes, above the memory of the service before it has scaled an image. */
const maxMemory = 256e6

/** How many inputs a sampled run sends. */
const sampled = 6
const inputs = sampleFrom(hostileInputs, sampled)

const statuses = { rejected: [400], scaled: [200], either: [200, 400], original: [200] } as const

describe('hostile images', () => {
  after(killRemaining)

  it('are of more than fifty kinds, with different names', () => {
    expect(new Set(hostileInputs.map(({ name }) => name)).size).to.equal(hostileInputs.length)
    expect(hostileInputs.length).to.be.at.least(50)
  })

  for (const imaging of ['jimp', 'sharp'])
    describe(`sent to a service with ${imaging}${sampleTitle(sampled, hostileInputs.length)}`, function () {
      this.timeout(600_000)
      let run: HostileRun
      before(async () => {
        run = await runHostile(imaging, inputs, () => undefined)
      })

      for (const [at, { name, expected, data }] of inputs.entries())
        it(`${name}: ${expected}`, () => {
          const effect = run.effects[at]
          expect(effect).to.deep.include({ name })
          expect(statuses[expected], effect?.message).to.include(effect?.status)
          expect(effect?.bytesAboveIdle).to.be.below(maxMemory)
          if (expected === 'original') expect(effect?.body.equals(data())).to.equal(true)
          else if (effect?.status === 200) expect(effect.body.includes('<script')).to.equal(false)
          else expect(effect?.message).to.match(/^[A-Z][^\n\\/{}<>]{8,}\.$/)
        })

      it('cause no defect, and the service stops with exit code 0', () => {
        expect(run.defects).to.deep.equal([])
        expect(run.exit).to.equal(0)
      })
    })
})
