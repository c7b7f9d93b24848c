/**
 * Data made to do harm do none: each is answered as it should be, in bounded memory, others are served meanwhile, and
 * the service goes on. `npm run bombs` prints what each took.
 */
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { killRemaining } from '../durability/service-process.js'
import { hostileInputs } from './hostile-inputs.js'
import { runHostile, type HostileRun } from './measure-hostile.js'

/** Bytes above what the service takes before it has scaled anything. */
const mostMemory = 256e6

/** What is sent: ten of them in a run that is not whole. */
const inputs = sampleFrom(hostileInputs, 10)

const rights = { refused: [400], scaled: [200], either: [200, 400] } as const

describe('hostile images', () => {
  after(killRemaining)

  it('are of more than fifty kinds, each with a name of its own', () => {
    expect(new Set(hostileInputs.map(({ name }) => name)).size).to.equal(hostileInputs.length)
    expect(hostileInputs.length).to.be.at.least(50)
  })

  for (const imaging of ['jimp', 'sharp'])
    describe(`sent to a service with ${imaging}${sampleTitle(10, hostileInputs.length)}`, function () {
      this.timeout(600_000)
      let run: HostileRun
      before(async () => {
        run = await runHostile(imaging, inputs, () => undefined)
      })

      for (const [at, { name, answer }] of inputs.entries())
        it(`${name}: ${answer}`, () => {
          const harm = run.harms[at]
          expect(harm).to.deep.include({ name })
          expect(rights[answer], harm?.words).to.include(harm?.status)
          expect(harm?.bytesAboveIdle).to.be.below(mostMemory)
          if (harm?.status === 200) expect(harm.body.includes('<script')).to.equal(false)
          else expect(harm?.words).to.match(/^[A-Z][^\n\\/{}<>]{8,}\.$/)
        })

      it('leave it whole: it logs no defect and ends as it should', () => {
        expect(run.defects).to.deep.equal([])
        expect(run.exit).to.equal(0)
      })
    })
})
