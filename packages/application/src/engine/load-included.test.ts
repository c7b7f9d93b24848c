import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, section, tag } from '@publishing-service/domain'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { includeLimits } from '@publishing-service/domain/lists'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { attachTag } from '../tagging/attach-tag.js'
import { article, aSection, createStage, faultsOf, right, type Stage } from '../test-support/stage.js'
import { listObjects } from './list.js'
import { noTargets, withFound } from './load-included.js'
import { readObject } from './read-one.js'

describe('include', () => {
  let reads: string[]
  let stage: Stage
  beforeEach(async () => {
    const documents = memoryDocumentStore(collections)
    const watched: DocumentStore = {
      ...documents,
      getMany: (collection, ...rest) => {
        reads.push(collection)
        return documents.getMany(collection, ...rest)
      },
    }
    stage = await createStage({ documents: watched })
    reads = []
  })

  const list = async (parameters: Readonly<Record<string, string>>) => {
    reads = []
    return right(stage.run(listObjects(content), stage.as('reader'), { parameters }))
  }

  const withTag = async (name: string, body: JsonObject): Promise<void> => {
    const id = await stage.create(content, article(name, body))
    const tagId = await stage.create(tag, { last_name_or_title: name, urlname: name })
    await right(
      stage.run(attachTag, stage.as('editor'), {
        tagId,
        predicate: 'describes',
        objectId: id,
        body: {},
      }),
    )
  }

  it('reads each collection once for a level, however many rows there are', async () => {
    const parent = await stage.create(section, aSection('culture'))
    for (const name of ['a', 'b', 'c', 'd']) {
      const section_uuid = await stage.create(section, aSection(name, parent))
      await withTag(name, { section_uuid })
    }
    const { included } = await list({ fields: 'title', include: 'section,tags' })
    expect(Object.keys(included ?? {})).to.have.length(8)
    // The included sections refer to their parents.
    expect(reads.toSorted()).to.deep.equal(['sections', 'sections', 'tags'])
    const further = await list({ fields: 'title', include: 'section.parent,tags' })
    expect(Object.keys(further.included ?? {})).to.have.length(9)
    expect(reads.toSorted()).to.deep.equal(['sections', 'sections', 'tags'])
    await list({ fields: 'title' })
    expect(reads).to.deep.equal([])
  })

  it('omits a file whose data no longer has the kind that the reference needs', () => {
    const reference = { path: 'image_uuid', collection: 'files', id: 'f1', media: 'image' } as const
    const idsWhere = (mimetype: string): readonly string[] => [
      ...withFound(noTargets, [{ reference, further: null }], () => ({ mimetype })).keys(),
    ]
    expect(idsWhere('image/png')).to.deep.equal(['f1'])
    expect(idsWhere('audio/mpeg')).to.deep.equal([])
  })

  it('is a fault if it leads to too many objects, in a list and in an object', async () => {
    let total = 0
    const roundup = async (): Promise<string> => {
      const targets: JsonObject[] = []
      for (let made = 0; made < 500; made += 1)
        targets.push({ target_uuid: await stage.create(content, article(`a${(total += 1)}`)) })
      return stage.create(content, {
        content_type: 'roundup_content',
        title: 'r',
        urlname: `r${total}`,
        roundup_content_targets: targets,
      })
    }
    const first = await roundup()
    for (let made = 1; made * 500 <= includeLimits.objects; made += 1) await roundup()
    const parameters = { include: 'roundup_content_targets', rpp: '100', ctypes: 'roundups' }
    const listed = stage.run(listObjects(content), stage.as('reader'), { parameters })
    expect(Object.keys(await faultsOf(listed))).to.deep.equal(['include'])
    const { included } = await right(
      stage.run(readObject(content), stage.as('reader'), { id: first, parameters }),
    )
    expect(Object.keys(isJsonObject(included ?? null) ? (included ?? {}) : {})).to.have.length(500)
  }).timeout(20_000)
})
