/**
 * The contract of queries for words as a mocha suite: what a document store finds. Each sentence
 * of the comment of `WordsCondition` is the title of its tests.
 */
import { expect } from 'chai'
import { after, before as beforeAll, describe, it } from 'mocha'
import { changes } from './document-store/changes.js'
import { searchSentences } from './document-store/sentences.js'
import { type Conformance, declareContract } from './contract.js'
import { all, type DocumentStoreSubject, idsOf, type OpenSubject } from './document-store/stage.js'
import { resultTests } from './search/results.js'
import { articles, searchStage, word } from './search/stage.js'
import { wordTests } from './search/words.js'
import { valueOf } from './task-outcome.js'

export type SearchConformance = Conformance<'search', OpenSubject>

/** Declares the suite for the words that a document store finds. */
export const searchConformance = (options: SearchConformance): void => {
  declareContract('search', options, 30_000, () => {
    // Each part has separate data, so that a store which reads all documents for each query is fast enough.
    for (const [name, declare] of [
      ['Words', wordTests],
      ['Results', resultTests],
    ] as const)
      describe(name, () => {
        let opened: DocumentStoreSubject | undefined
        beforeAll(async () => {
          opened = await options.open([articles])
        })
        after(() => opened?.dispose())
        declare(searchStage(() => opened?.store ?? expect.fail('the store is not open yet')))
      })

    describe(searchSentences.complete, () => {
      it('a collection that is declared with searched attributes later', async function () {
        if (options.deviations?.volatile !== undefined) return this.skip()
        const { searched: _none, ...before } = articles
        const subject = await options.open([before])
        try {
          for (let i = 0; i < 130; i += 1)
            await valueOf(
              changes(subject.store).insert('articles', 1, {
                id: `${i}`,
                unique: null,
                value: { title: `early w${i}` },
              }),
            )
          await subject.store.close()
          const later = await subject.reopen([articles])
          await valueOf(
            changes(later).insert('articles', 1, { id: 'new', unique: null, value: { title: 'late' } }),
          )
          const found = async (text: string) =>
            idsOf(
              (await valueOf(later.find('articles', 1, { ...all, words: { terms: [word(text)] } })))
                .documents,
            )
          expect(await found('late')).to.deep.equal(['new'])
          expect(await found('early')).to.have.length(130)
          expect(await found('w129')).to.deep.equal(['129'])
          await later.close()
        } finally {
          await subject.dispose()
        }
      })
    })
  })
}
