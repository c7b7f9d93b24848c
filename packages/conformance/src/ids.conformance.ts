/** The contract of the port `Ids` as a mocha suite. */
import type { Ids } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { type Conformance, declareContract } from './contract.js'

export type IdsConformance = Conformance<'ids', () => Ids>

const alphabet = /^[A-Za-z0-9_-]+$/
const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** A character has 6 bits, so 256 bits need at least 43 characters. */
const minimumLength = 43
const samples = 4_000

/** The number of positions at which the samples have nearly all characters. */
const randomPositions = (texts: readonly string[]): number => {
  const shortest = Math.min(...texts.map((text) => text.length))
  let random = 0
  for (let position = 0; position < shortest; position += 1) {
    if (new Set(texts.map((text) => text[position])).size >= 60) random += 1
  }
  return random
}

/** Declares the suite for one adapter of `Ids`. */
export const idsConformance = (options: IdsConformance): void => {
  const { open, deviations = {} } = options
  const take = (next: () => string, count = samples) => Array.from({ length: count }, next)
  const isRandom = deviations.predictable === undefined
  const withRandomness = (title: string) => (isRandom ? `${title}, each random` : title)

  declareContract('ids', options, 10_000, () => {
    it('UUIDs are version 4, in lower case, and never repeat.', () => {
      const { uuid } = open()
      const uuids = take(uuid, 100_000)
      expect(uuids.filter((text) => !version4.test(text))).to.deep.equal([])
      expect(new Set(uuids).size).to.equal(uuids.length)
    })

    describe('Secrets have at least 256 random bits in characters of `A-Za-z0-9_-`.', () => {
      it(withRandomness(`${minimumLength} characters or more`), () => {
        const secrets = take(open().secret)
        expect(secrets.filter((text) => !alphabet.test(text) || text.length < minimumLength)).to.deep.equal(
          [],
        )
        expect(new Set(secrets).size).to.equal(secrets.length)
        // The last character of 43 carries 4 bits only.
        if (isRandom) expect(randomPositions(secrets)).to.be.at.least(minimumLength - 1)
      })
    })

    describe('A short public name: 20 characters of `A-Za-z0-9_-`.', () => {
      it(withRandomness('20 characters'), () => {
        const names = take(open().name)
        expect(names.filter((text) => !alphabet.test(text) || text.length !== 20)).to.deep.equal([])
        expect(new Set(names).size).to.equal(names.length)
        if (isRandom) expect(randomPositions(names)).to.equal(20)
      })
    })
  })
}
