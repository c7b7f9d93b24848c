import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, file, section, tag } from '@publishing-service/domain'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { includeLimits } from '@publishing-service/domain/lists'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { addRelatedLink, readRelatedLinks } from '../content/related-links.js'
import { uploadFile } from '../files/upload-file.js'
import { addMedium, listMedia } from '../content/slot-media.js'
import { attachTag } from '../tags/attach-tag.js'
import { listTags } from '../tags/list-tags.js'
import { bodyOf } from '../test-support/ascii.js'
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
      getRelated: (instance, related) => {
        reads.push(...related.documents.map(({ collection }) => collection))
        return documents.getRelated(instance, related)
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

  it('returns the attributes in brackets, and all that are asked for by any name', async () => {
    const parent = await stage.create(section, aSection('culture'))
    const child = await stage.create(section, aSection('film', parent))
    await stage.create(content, article('a', { section_uuid: child }))
    await stage.create(content, article('b', { section_uuid: parent }))
    const included = async (include: string) => (await list({ fields: 'title', include })).included
    expect(await included('section(title,path)')).to.deep.equal({
      [parent]: { title: 'A section', path: '/culture/' },
      [child]: { title: 'A section', path: '/culture/film/' },
    })
    // The parent is read again for what the second name asks for.
    expect(await included('section(title),section.parent(path)')).to.deep.equal({
      [parent]: { title: 'A section', path: '/culture/' },
      [child]: { title: 'A section' },
    })
    const whole = await included('section(title),section.parent')
    expect(whole?.[child]).to.deep.equal({ title: 'A section' })
    expect(whole?.[parent]).to.include({ uuid: parent, hide_in_nav: false })
  })

  it('is read with lists of media, related links and tags', async () => {
    const image = await stage.create(file, { title: 'Image', filename: 'a.png' })
    const upload = { contentType: 'image/png', length: 1, body: bodyOf('a') }
    await right(stage.run(uploadFile, stage.as('editor'), { id: image, ...upload }))
    const slotId = '3d0c7a52-1e4b-4f6a-9d88-5b2f60c1a7e4'
    const section_uuid = await stage.create(section, aSection('culture'))
    const target = await stage.create(content, article('b', { section_uuid }))
    const id = await stage.create(content, article('a', { content: `<slot id="${slotId}"/>` }))
    const label = await stage.create(tag, { last_name_or_title: 'Wine', urlname: 'wine' })
    const editor = stage.as('editor')
    const on = { tagId: label, predicate: 'describes', objectId: id, body: {} }
    await right(stage.run(attachTag, editor, on))
    const medium = { type: 'file', image_uuid: image }
    await right(stage.run(addMedium, editor, { contentId: id, slotId, body: medium }))
    const link = { type: 'content', target_uuid: target }
    await right(stage.run(addRelatedLink, editor, { id, body: link }))
    const asked = (include: string) => ({ id, parameters: { include } })
    const media = { ...asked('image(title,mimetype)'), contentId: id, slotId }
    expect((await right(stage.run(listMedia, editor, media))).included).to.deep.equal({
      [image]: { title: 'Image', mimetype: 'image/png' },
    })
    const links = asked('target(title),target.section(path)')
    expect((await right(stage.run(readRelatedLinks, editor, links))).included).to.deep.equal({
      [target]: { title: 'An article' },
      [section_uuid]: { path: '/culture/' },
    })
    const tags = { ...asked('tag(title)'), predicate: null }
    expect((await right(stage.run(listTags(content), editor, tags))).included).to.deep.equal({
      [label]: { title: 'Wine' },
    })
    expect(await faultsOf(stage.run(listMedia, editor, { ...media, ...asked('target') }))).to.have.all.keys(
      'include',
    )
  })

  it('omits a file whose data no longer has the kind that the reference needs', () => {
    const reference = { path: 'image_uuid', collection: 'files', id: 'f1', media: 'image' } as const
    const idsWhere = (mimetype: string): readonly string[] => [
      ...withFound(noTargets, [{ reference, further: null, selection: 'summary' }], () => ({
        mimetype,
      })).keys(),
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
