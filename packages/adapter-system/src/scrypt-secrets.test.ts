import { secretsConformance } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import type { Secrets } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { scryptSecrets } from './scrypt-secrets.js'

secretsConformance({
  name: 'scrypt',
  open: () => scryptSecrets({ cost: { cost: 8192, blockSize: 8, parallelization: 1 } }),
})

const cheap = { cost: 16, blockSize: 8, parallelization: 1 }

describe('scrypt secrets', () => {
  it('store the parameters in the hash', async () => {
    expect(await scryptSecrets().hash('x')())
      .to.have.property('right')
      .that.matches(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  })

  it('verify hashes of another cost, and a known one', async () => {
    const hashed = await scryptSecrets({ cost: cheap }).hash('a secret')()
    if (E.isLeft(hashed)) throw new Error('not hashed')
    expect(await scryptSecrets().verify('a secret', hashed.right)()).to.deep.equal(E.right(true))
    expect(await scryptSecrets().verify('another', hashed.right)()).to.deep.equal(E.right(false))
    // "password" over 16 zero bytes, computed with another implementation of scrypt.
    const known = 'scrypt$16$8$1$AAAAAAAAAAAAAAAAAAAAAA$gLSh7ChbHdOIMvZ74XGjV6qF65d9qvQ8n75FeGnM8YM'
    expect(await scryptSecrets().verify('password', known)()).to.deep.equal(E.right(true))
  })

  it('return false for a text that is not a usable hash', async () => {
    const secrets = scryptSecrets({ cost: cheap })
    const tail = 'AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    for (const text of [
      '',
      'plain text',
      `scrypt$0$8$1$${tail}`,
      `scrypt$15$8$1$${tail}`,
      `scrypt$16$0$1$${tail}`,
      `scrypt$1073741824$8$1$${tail}`,
      `scrypt$16384$8$9999$${tail}`,
      `bcrypt$16$8$1$${tail}`,
      `scrypt$16$8$1$${tail}A`,
    ]) {
      expect(await secrets.verify('x', text)(), text).to.deep.equal(E.right(false))
    }
  })

  for (const [what, most, use] of [
    [
      'verify 2 at a time, queue 64, and reject one more',
      66,
      (secrets: Secrets) => secrets.verify('x', null),
    ],
    ['hash 1 at a time, queue 16, and reject one more', 17, (secrets: Secrets) => secrets.hash('x')],
  ] as const)
    it(what, async () => {
      const secrets = scryptSecrets({ cost: cheap })
      const answers = await Promise.all(Array.from({ length: most + 1 }, () => use(secrets)()))
      expect(answers.filter(({ _tag }) => _tag === 'Right').length).to.equal(most)
      expect(answers.at(most)).to.deep.equal(E.left({ _tag: 'SecretsBusy' }))
    })

  it("don't open with a cost that scrypt can't work with", () => {
    for (const cost of [0, 1, 3, 1000, 2 ** 24])
      expect(() => scryptSecrets({ cost: { ...cheap, cost } })).to.throw(RangeError)
  })
})
