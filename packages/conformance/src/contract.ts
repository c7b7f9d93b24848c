/**
 * What the suites have in common: their ports, what an adapter of each may be unable to keep, and how a suite is
 * declared. A deviation is data with a reason; it stands in the test report under the port's own words.
 */
import { describe, it } from 'mocha'
import { expect } from 'chai'

/** The port behind each suite, and the deviations that the suite knows, in words for the report. */
export const contracts = {
  documentStore: {
    port: 'document store',
    mayDeviate: {
      volatile: 'Documents are lost when the store closes, and no other store sees them.',
      unevenPages: 'A page far into a result costs more than the first.',
      unevenGroupCounts: 'A group count costs more, the more documents it counts.',
      restrictedNames: 'Objects in a document may not have attributes of any name.',
    },
  },
  blobStore: {
    port: 'blob store',
    mayDeviate: {
      volatile: 'Blobs are lost when the store closes.',
      unbounded: 'The store has its blobs in memory, so its memory is not bounded.',
      locking: 'A write to a key, or its removal, waits until current reads of it have ended.',
    },
  },
  imaging: {
    port: 'imaging',
    mayDeviate: {
      refusesTrailingRubbish: 'An image followed by other data is unreadable.',
      scalesCutPixels: 'An image whose pixel data is truncated or damaged is scaled.',
      losesTransparency: 'Transparency of the original is lost in the scaled image.',
    },
  },
  clock: { port: 'clock', mayDeviate: { set: 'The clock shows another time than the machine.' } },
  ids: { port: 'ids', mayDeviate: { foreseeable: 'The names are predictable.' } },
  secrets: { port: 'secrets', mayDeviate: {} },
  log: { port: 'log', mayDeviate: {} },
  rateCounter: { port: 'rate counter', mayDeviate: {} },
} as const

export type ContractName = keyof typeof contracts

/** What an adapter doesn't keep, each with the reason, for whoever chooses an adapter. */
export type Deviations<Name extends ContractName> = {
  readonly [D in keyof (typeof contracts)[Name]['mayDeviate']]?: string | undefined
}

/** What every suite is told of its adapter. */
export type Conformance<Name extends ContractName, Open> = {
  /** Names the adapter in the report: `sqliteDocumentStore`. */
  readonly name: string
  /** Opens what the tests are tried on. */
  readonly open: Open
  readonly deviations?: Deviations<Name>
  /** Milliseconds for one test; what the suite finds right where it isn't given. */
  readonly timeout?: number
}

/** Declares a suite: one test for each deviation, that it has a reason, and then the tests of the port. */
export const declareContract = <Name extends ContractName>(
  contract: Name,
  { name, deviations = {}, timeout }: Conformance<Name, unknown>,
  ownTimeout: number,
  declare: () => void,
): void => {
  const { port, mayDeviate } = contracts[contract]
  describe(`${name} keeps the contract of the port ${port}`, function () {
    this.timeout(timeout ?? ownTimeout)
    const words: Readonly<Record<string, string>> = mayDeviate
    for (const [deviation, reason] of Object.entries<string | undefined>(deviations)) {
      if (reason === undefined) continue
      it(`deviates: ${words[deviation] ?? ''} ${reason}`, () => {
        expect(words, 'the deviations that the suite accepts').to.have.property(deviation)
        expect(reason.trim(), 'the reason').not.to.equal('')
      })
    }
    declare()
  })
}

/**
 * A test of a promise. Where an adapter deviates, the test has to fail, so that no deviation outlives its reason.
 */
export const testPromise = (promise: string, reason: string | undefined, body: () => Promise<void>): void => {
  if (reason === undefined) it(promise, body)
  else
    it(`needs its deviation: ${promise}`, async () => {
      const kept = await body().then(
        () => true,
        () => false,
      )
      expect(kept, 'the sentence holds, so the deviation must be removed').to.equal(false)
    })
}
