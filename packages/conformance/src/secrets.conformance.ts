/**
 * What every keeper of secrets promises, as tests in the words of the port's comment. Times are compared by their
 * least of several, which a busy machine disturbs the least.
 */
import type { Secrets } from '@publishing-service/ports'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { type Conformance, declareContract } from './contract.js'
import { valueOf } from './task-outcome.js'

export type SecretsConformance = Conformance<'secrets', () => Secrets> & {
  /** More hashings than may run and wait together; 200 unless told. */
  readonly flood?: number
}

const leastTime = async (runs: number, run: () => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < runs; turn += 1) {
    const start = performance.now()
    await run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/** Declares the suite for one keeper of secrets; see `Secrets` in the ports for what it asks. */
export const secretsConformance = (options: SecretsConformance): void => {
  const { open, flood = 200 } = options
  declareContract('secrets', options, 60_000, () => {
    let secrets: Secrets
    before(() => {
      secrets = open()
    })
    const hash = (secret: string) => valueOf(secrets.hash(secret))
    const verify = (secret: string, kept: string | null) => valueOf(secrets.verify(secret, kept))

    it('A hash verifies the secret that it was computed from, and no other.', async () => {
      const secret = 'Correct-horse_battery.staple ✓'
      const kept = await hash(secret)
      expect(await verify(secret, kept)).to.equal(true)
      for (const other of ['', 'x', secret.slice(1), `${secret} `, secret.toLowerCase(), kept]) {
        expect(await verify(other, kept), other).to.equal(false)
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
      for (const kept of hashes) {
        for (const form of [
          secret,
          bytes.toString('hex'),
          bytes.toString('base64'),
          bytes.toString('base64url'),
        ]) {
          expect(kept.toLowerCase()).to.not.include(form.toLowerCase())
        }
        expect(await verify(secret, kept)).to.equal(true)
      }
    })

    it('Verifying against null takes as long as a real verification and returns false.', async () => {
      const kept = await hash('a secret')
      expect(await verify('a secret', null)).to.equal(false)
      expect(await verify('', null)).to.equal(false)
      const real = await leastTime(7, () => verify('another secret', kept))
      const dummy = await leastTime(7, () => verify('another secret', null))
      // An answer at once would be a thousandth; a busy machine makes one time twice the other.
      expect(dummy / real).to.be.within(0.2, 5)
    })

    describe('Hashing runs outside the calling thread, at most two at a time, with a bounded queue.', () => {
      it('the calling thread goes on meanwhile', async () => {
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

      it('a flood is answered: some wait and are served, the rest learn at once that it is busy', async () => {
        const alone = await leastTime(3, () => hash('a secret'))
        const start = performance.now()
        const cpu = process.cpuUsage()
        let firstServed = Number.POSITIVE_INFINITY
        let lastTurnedAway = 0
        const answers = await Promise.all(
          Array.from({ length: flood }, async (_, turn) => {
            const task = turn % 2 === 0 ? secrets.hash('a secret') : secrets.verify('a secret', null)
            const answer = await task()
            const at = performance.now()
            if (answer._tag === 'Right') firstServed = Math.min(firstServed, at)
            else lastTurnedAway = Math.max(lastTurnedAway, at)
            return answer
          }),
        )
        const elapsed = performance.now() - start
        const { user, system } = process.cpuUsage(cpu)
        const served = answers.filter((answer) => answer._tag === 'Right').length
        const failures = answers.flatMap((answer) => (answer._tag === 'Left' ? [answer.left] : []))
        expect(served).to.be.within(2, flood - 1)
        expect(new Set(failures.map((failure) => failure._tag))).to.deep.equal(new Set(['SecretsBusy']))
        expect(lastTurnedAway, 'turned away before the first is served').to.be.below(firstServed)
        // Two threads at work and the calling one beside them; more would show in the processor's time.
        expect((user + system) / 1000 / elapsed).to.be.below(2.75)
        expect(elapsed, 'no more than two at a time').to.be.above((served / 2) * alone * 0.6)
        const kept = await hash('a secret')
        expect(await verify('a secret', kept), 'and it serves again').to.equal(true)
      })
    })

    it('A digest is always the same for the same text, and cannot be reversed.', () => {
      expect(secrets.digest('')).to.equal('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU')
      expect(secrets.digest('abc')).to.equal('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
      expect(secrets.digest('ü')).to.equal(open().digest('ü'))
      expect(secrets.digest('abc')).to.not.equal(secrets.digest('abd'))
    })

    it('A check succeeds when hashing works, and does not wait for other hashing.', async () => {
      let ended = 0
      const flooded = Array.from({ length: flood }, async () => {
        await secrets.hash('a secret')()
        ended += 1
      })
      await valueOf(secrets.check())
      expect(ended).to.be.below(flood)
      await Promise.all(flooded)
    })
  })
}
