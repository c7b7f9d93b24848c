/** Computed attributes of documents that an earlier release stored (docs/behaviour/locations.md#near). */
import { location, redirect, tag } from '@publishing-service/domain'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { createStage, right, type Stage } from '../test-support/stage.js'
import { listObjects } from '../engine/list.js'
import { resolvePath } from '../paths/resolve-path.js'
import { addToPathHistory } from '../paths/path-history.js'
import { changing } from '../test-support/memory-documents.js'

describe('computed attributes of earlier documents', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const titlesNear = async (): Promise<readonly unknown[]> => {
    const parameters = { near: '48.2,16.37,5', fields: 'title' }
    const { items } = await right(stage.run(listObjects(location), stage.as('reader'), { parameters }))
    return items.flat()
  }

  /** Stores a location as a release without these attributes did. */
  const createEarlier = async (title: string): Promise<string> => {
    const id = await stage.create(location, { title, urlname: title, coords: [48.2, 16.37] })
    const stored = await right(stage.documents.get('locations', 1, id))
    if (stored === null) return expect.fail('is not stored')
    const { cells: _cells, ...value } = stored.value
    await right(stage.documents.replace('locations', 1, { ...stored, unique: title, value }))
    return id
  }

  it('are added once, without another change', async () => {
    const id = await createEarlier('cafe')
    expect(await titlesNear()).to.deep.equal([])
    const before = await right(stage.documents.get('locations', 1, id))
    expect(await stage.useCases.completeComputed()).to.equal(1)
    expect(await titlesNear()).to.deep.equal(['cafe'])
    const after = await right(stage.documents.get('locations', 1, id))
    expect({ ...after?.value, cells: undefined }).to.deep.equal({ ...before?.value, cells: undefined })
    expect(await stage.useCases.completeComputed()).to.equal(0)
  })

  it('are computed again where an earlier release computed other values', async () => {
    const jazz = await stage.create(tag, { last_name_or_title: 'Jazz', urlname: 'jazz' })
    const body = { path: '/%C3%9Cber-Jazz/' }
    await right(stage.run(addToPathHistory(tag), stage.as('editor'), { id: jazz, body }))
    const redirected = { pattern: '/K%C3%A4se/', template: '/tags/jazz/', ord: 1 }
    const cheese = await stage.create(redirect, redirected)
    for (const [collection, id, earlier] of [
      ['tags', jazz, { past_paths: ['/%c3%9cber-jazz/'] }],
      ['redirects', cheese, { pattern_key: '/k%c3%a4se' }],
    ] as const) {
      const stored = await right(stage.documents.get(collection, 1, id))
      if (stored === null) return expect.fail('is not stored')
      const value = { ...stored.value, ...earlier }
      await right(stage.documents.replace(collection, 1, { ...stored, unique: null, value }))
    }
    expect(await stage.useCases.completeComputed()).to.equal(2)
    for (const path of ['/über-jazz/', '/käse/'])
      expect(
        await right(stage.run(resolvePath, stage.as('public_user'), { parameters: { path } })),
      ).to.deep.include({ location: '/tags/jazz/' })
    expect(await stage.useCases.completeComputed()).to.equal(0)
  })

  it('are added by the next run if a run was interrupted', async () => {
    await createEarlier('cafe')
    await createEarlier('museum')
    let writes = 0
    const documents = changing(stage.documents, 'replace', 'locations', (...sent) => {
      writes += 1
      if (writes > 1) throw new Error('the process ends')
      return stage.documents.write(...sent)
    })
    const first = stage.anotherProcess({ documents })
    const failure: unknown = await first.completeComputed().catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Error)
    expect(await stage.useCases.completeComputed()).to.equal(1)
    expect(await titlesNear()).to.have.members(['cafe', 'museum'])
  })
})
