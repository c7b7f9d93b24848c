/**
 * The contract of the port `Secrets` as a mocha suite. Durations are the minimum of several runs, which a busy machine
 * affects least.
 */
import type { Secrets } from '@publishing-service/ports'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { type Conformance, declareContract } from './contract.js'
import { valueOf } from './task-outcome.js'

export type SecretsConformance = Conformance<'secrets', () => Secrets> & {
  /** A number of concurrent hashings that exceeds those that may run and wait; 200 by default. */
  readonly flood?: number
}

const minimumTime = async (runs: number, run: () => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < runs; turn += 1) {
    const start = performance.now()
    await run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/** Declares the suite for one adapter of `Secrets`. */
export const secretsConformance = (options: SecretsConformance): void => {
  const { open, flood = 200 } = options
  declareContract('secrets', options, 60_000, () => {
    let secrets: Secrets
    before(() => {
      secrets = open()
    })
    const hash = (secret: string) => valueOf(secrets.hash(secret))
    const verify = (secret: string, stored: string | null) => valueOf(secrets.verify(secret, stored))

    it('A hash verifies the secret that it was computed from, and no other.', async () => {
      const secret = 'Correct-horse_battery.staple ✓'
      const stored = await hash(secret)
      expect(await verify(secret, stored)).to.equal(true)
      for (const other of ['', 'x', secret.slice(1), `${secret} `, secret.toLowerCase(), stored]) {
        expect(await verify(other, stored), other).to.equal(false)
      }
      const empty = await hash('')
      expect(await verify('', empty)).to.equal(true)
      expect(await verify(' ', empty)).to.equal(false)
      const long = 's'.repeat(10_000)
      expect(await verify(long, await hash(long))).to.equal(true)
    })

    it('Two hashes of one secret differ; a hash does not contain the secret.', async () => {
      const secret = 'an-unmistakable-secret'
      const hashes = [await hash(secret), await hash(secret)]
      expect(hashes[0]).to.not.equal(hashes[1])
      const bytes = Buffer.from(secret)
      for (const stored of hashes) {
        for (const form of [
          secret,
          bytes.toString('hex'),
          bytes.toString('base64'),
          bytes.toString('base64url'),
        ]) {
          expect(stored.toLowerCase()).to.not.include(form.toLowerCase())
        }
        expect(await verify(secret, stored)).to.equal(true)
      }
    })

    it('Verifying against null takes as long as a real verification and returns false.', async () => {
      const stored = await hash('a secret')
      expect(await verify('a secret', null)).to.equal(false)
      expect(await verify('', null)).to.equal(false)
      const real = await minimumTime(7, () => verify('another secret', stored))
      const dummy = await minimumTime(7, () => verify('another secret', null))
      // Returning immediately would take a thousandth; a busy machine can double a duration.
      expect(dummy / real).to.be.within(0.2, 5)
    })

    describe('Hashing runs outside the calling thread, at most two at a time, with a bounded queue.', () => {
      it('the calling thread continues meanwhile', async () => {
        let turns = 0
        let running = true
        const turning = (async () => {
          while (running) {
            await new Promise((resolve) => setImmediate(resolve))
            turns += 1
          }
        })()
        await hash('a secret')
        running = false
        await turning
        expect(turns).to.be.above(10)
      })

      it('of many concurrent calls, some wait and succeed, the others return SecretsBusy at once', async () => {
        const alone = await minimumTime(3, () => hash('a secret'))
        const start = performance.now()
        const cpu = process.cpuUsage()
        let firstSuccess = Number.POSITIVE_INFINITY
        let lastRejection = 0
        const outcomes = await Promise.all(
          Array.from({ length: flood }, async (_, turn) => {
            const task = turn % 2 === 0 ? secrets.hash('a secret') : secrets.verify('a secret', null)
            const outcome = await task()
            const at = performance.now()
            if (outcome._tag === 'Right') firstSuccess = Math.min(firstSuccess, at)
            else lastRejection = Math.max(lastRejection, at)
            return outcome
          }),
        )
        const elapsed = performance.now() - start
        const { user, system } = process.cpuUsage(cpu)
        const succeeded = outcomes.filter((outcome) => outcome._tag === 'Right').length
        const failures = outcomes.flatMap((outcome) => (outcome._tag === 'Left' ? [outcome.left] : []))
        expect(succeeded).to.be.within(2, flood - 1)
        expect(new Set(failures.map((failure) => failure._tag))).to.deep.equal(new Set(['SecretsBusy']))
        expect(lastRejection, 'rejected before the first success').to.be.below(firstSuccess)
        // Two threads and the calling thread; more would use more processor time.
        expect((user + system) / 1000 / elapsed).to.be.below(2.75)
        expect(elapsed, 'no more than two at a time').to.be.above((succeeded / 2) * alone * 0.6)
        const stored = await hash('a secret')
        expect(await verify('a secret', stored), 'it works again').to.equal(true)
      })
    })

    it('Verifying goes before hashing new secrets, of which one is hashed at a time, with a bounded queue of its own.', async () => {
      let ended = 0
      const hashings = Array.from({ length: flood }, async () => {
        const outcome = await secrets.hash('a secret')()
        if (outcome._tag === 'Right') ended += 1
        return outcome._tag
      })
      const verifications = Array.from({ length: 4 }, () => verify('a secret', null))
      expect(await Promise.all(verifications)).to.deep.equal([false, false, false, false])
      expect(ended, 'hashed before').to.be.below(5)
      expect(new Set(await Promise.all(hashings))).to.deep.equal(new Set(['Left', 'Right']))
    })

    it('A digest is always the same for the same text, and cannot be reversed.', () => {
      expect(secrets.digest('')).to.equal('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU')
      expect(secrets.digest('abc')).to.equal('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
      expect(secrets.digest('ü')).to.equal(open().digest('ü'))
      expect(secrets.digest('abc')).to.not.equal(secrets.digest('abd'))
    })

    it('A check succeeds when hashing works, and does not wait for other hashing.', async () => {
      let ended = 0
      const hashings = Array.from({ length: flood }, async () => {
        await secrets.hash('a secret')()
        ended += 1
      })
      await valueOf(secrets.check())
      expect(ended).to.be.below(flood)
      await Promise.all(hashings)
    })
  })
}
