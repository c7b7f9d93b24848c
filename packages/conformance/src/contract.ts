/**
 * What all suites share: the ports, the deviations that each suite allows, and the declaration of a suite. A deviation
 * is a sentence of the port that an adapter cannot fulfil, with the reason. The test report lists it.
 */
import { describe, it } from 'mocha'
import { expect } from 'chai'

/** The port that each suite tests, and the deviations that it allows, as described in the report. */
export const contracts = {
  documentStore: {
    port: 'document store',
    mayDeviate: {
      volatile: 'Documents are lost when the store closes, and no other store sees them.',
      unevenPages: 'A page far into a result costs more than the first.',
      unevenGroupCounts: 'A group count costs more, the more documents it counts.',
      blurredSnapshots: 'A snapshot may have parts of writes that are made while it is read.',
      restrictedNames: 'Objects in a document may not have attributes of any name.',
      crashes: 'It is not tested with a killed process.',
      outages: 'It is not tested with an unavailable server.',
      lostResponses: 'It is not tested with lost responses.',
      fullStorage: 'It is not tested with full storage.',
    },
  },
  search: {
    port: 'search',
    mayDeviate: { volatile: 'Documents are lost when the store closes, and no other store sees them.' },
  },
  blobStore: {
    port: 'blob store',
    mayDeviate: {
      volatile: 'Blobs are lost when the store closes, and no other store sees them.',
      unbounded: 'The store has its blobs in memory, so its memory is not bounded.',
      locking: 'A write to a key, or its removal, waits until current reads of it have ended.',
    },
  },
  imaging: {
    port: 'imaging',
    mayDeviate: {
      rejectsTrailingData: 'An image followed by other data is unreadable.',
      scalesDamagedPixels: 'An image whose pixel data is truncated or damaged is scaled.',
      losesTransparency: 'Transparency of the original is lost in the scaled image.',
    },
  },
  clock: { port: 'clock', mayDeviate: { simulated: 'The clock shows another time than the machine.' } },
  ids: { port: 'ids', mayDeviate: { predictable: 'The names are predictable.' } },
  secrets: { port: 'secrets', mayDeviate: {} },
  log: { port: 'log', mayDeviate: {} },
} as const

export type ContractName = keyof typeof contracts

/** The sentences that an adapter does not fulfil, each with the reason, for users who choose an adapter. */
export type Deviations<Name extends ContractName> = {
  readonly [D in keyof (typeof contracts)[Name]['mayDeviate']]?: string | undefined
}

/** The options of every suite. */
export type Conformance<Name extends ContractName, Open> = {
  /** Names the adapter in the report: `sqliteDocumentStore`. */
  readonly name: string
  /** Opens what is tested. */
  readonly open: Open
  readonly deviations?: Deviations<Name>
  /** Milliseconds for one test. The default depends on the suite. */
  readonly timeout?: number
}

/** Declares a suite: a test for each deviation, which requires a reason, and then the tests of the port. */
export const declareContract = <Name extends ContractName>(
  contract: Name,
  { name, deviations = {}, timeout }: Conformance<Name, unknown>,
  defaultTimeout: number,
  declare: () => void,
): void => {
  const { port, mayDeviate } = contracts[contract]
  describe(`${name} fulfils the contract of the port ${port}`, function () {
    this.timeout(timeout ?? defaultTimeout)
    const descriptions: Readonly<Record<string, string>> = mayDeviate
    for (const [deviation, reason] of Object.entries<string | undefined>(deviations)) {
      if (reason === undefined) continue
      it(`deviates: ${descriptions[deviation] ?? ''} ${reason}`, () => {
        expect(descriptions, 'the deviations that the suite accepts').to.have.property(deviation)
        expect(reason.trim(), 'the reason').not.to.equal('')
      })
    }
    declare()
  })
}

/** A test of a sentence. If the adapter deviates, the test must fail, so that deviations are removed once they are obsolete. */
export const testSentence = (title: string, reason: string | undefined, body: () => Promise<void>): void => {
  if (reason === undefined) it(title, body)
  else
    it(`needs its deviation: ${title}`, async () => {
      const isFulfilled = await body().then(
        () => true,
        () => false,
      )
      expect(isFulfilled, 'the sentence is fulfilled, so the deviation must be removed').to.equal(false)
    })
}
