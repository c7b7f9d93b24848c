import type { CollectionWork, ExaminedStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { upgradeCost, upgradeReport } from './upgrade-report.js'
import { upgradePlan } from '@publishing-service/application'

const instance = (stored: object) => ({ id: '1', version: 1, position: 1, value: { number: 1, ...stored } })

const store = (
  works: Readonly<Record<string, readonly [CollectionWork | null, number]>>,
  stored: object = {},
): ExaminedStore => ({
  collections: Object.entries(works).map(([name, [work, documents]]) => ({
    name,
    work,
    documents: new Map([[1, documents]]),
  })),
  bytes: 1e9,
  copied: Object.values(works).some(([work]) => work !== null) ? 1e9 : 0,
  read: [instance(stored)],
})

describe('the report of an upgrade', () => {
  it('has the steps of the store, then those of each instance', () => {
    const plan = upgradePlan(
      store({ content: ['rewrite', 800], tags: ['index', 100], drafts: ['create', 0], files: [null, 100] }),
    )
    expect(
      plan.map(({ step, collection, instance: of, documents }) => [step, collection ?? of, documents]),
    ).to.deep.equal([
      ['rewrite documents', 'content', 800],
      ['create indexes', 'tags', 100],
      ['create tables', 'drafts', 0],
      ['record places', 1, 900],
      ['compute attributes', 1, 1000],
    ])
  })

  it('needs no time and no space where nothing is to be done', () => {
    const current = store({ content: [null, 800] }, { places: true })
    const steps = upgradePlan(current).filter(({ step }) => step !== 'compute attributes')
    expect(steps).to.deep.equal([])
    expect(upgradeCost(steps, current)).to.deep.equal({ seconds: 0, bytes: 0 })
  })

  it('counts the copy, and the documents that are rewritten twice', () => {
    const half = store({ content: ['rewrite', 500], files: [null, 500] })
    expect(upgradeCost(upgradePlan(half), half).bytes).to.equal(2e9)
  })

  it('is refused where the space is not enough, and says how much is needed', () => {
    const all = store({ content: ['rewrite', 1000] })
    const refused = upgradeReport(all, '/data', 2e9)
    expect([refused.code, upgradeReport(all, '/data', 4e9).code]).to.deep.equal([1, 0])
    expect(refused.text).to.contain('3 GB').and.to.contain('2 GB')
    expect(upgradeReport(all, 'a server', null).code).to.equal(0)
  })
})
