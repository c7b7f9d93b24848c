/**
 * Earlier public paths over the store: paths recorded by a write, and those that follow from changed sections
 * (docs/behaviour/paths.md#path-history).
 */
import {
  content,
  file,
  location,
  notFound,
  section,
  tag,
  type Resource,
  type Role,
} from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { article, aSection, createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'
import { addToPathHistory, readPathHistory, replacePathHistory } from './path-history.js'
import { listObjects } from '../engine/list.js'
import { readObject } from '../engine/read-one.js'
import { changeObject, replaceObject } from '../engine/write.js'

describe('the path history', () => {
  let stage: Stage
  let food: string
  let wine: string
  let story: string
  beforeEach(async () => {
    stage = await createStage()
    food = await stage.create(section, aSection('food'))
    wine = await stage.create(section, aSection('wine', food))
    story = await stage.create(content, article('a', { section_uuid: wine }))
  })

  const patch = (resource: Resource, id: string, body: JsonObject) =>
    right(stage.run(changeObject(resource), stage.as('editor'), { id, body }))
  const history = async (
    resource: Resource,
    id: string,
    role: Role = 'editor',
  ): Promise<readonly unknown[]> =>
    (await right(stage.run(readPathHistory(resource), stage.as(role), { id }))).map(({ path }) => path)
  const replace = (resource: Resource, id: string, paths: readonly string[]) =>
    stage.run(replacePathHistory(resource), stage.as('editor'), {
      id,
      body: { items: paths.map((path) => ({ path })) },
    })
  const add = (resource: Resource, id: string, body: JsonObject) =>
    stage.run(addToPathHistory(resource), stage.as('editor'), { id, body })

  it('is empty for new objects', async () => {
    expect(await history(content, story)).to.deep.equal([])
    expect(await history(section, wine)).to.deep.equal([])
  })

  it('records the previous path only if the urlname or the section changes', async () => {
    await patch(content, story, { title: 'New' })
    expect(await history(content, story)).to.deep.equal([])
    await patch(content, story, { urlname: 'b' })
    await patch(content, story, { section_uuid: food })
    await patch(content, story, { section_uuid: null })
    expect(await history(content, story)).to.deep.equal(['/food/b/', '/food/wine/b/', '/food/wine/a/'])
    await patch(content, story, { urlname: 'a', section_uuid: wine })
    expect(await history(content, story)).to.deep.equal(['/b/', '/food/b/', '/food/wine/b/'])
  })

  it('exists for locations and tags too', async () => {
    const place = await stage.create(location, { title: 'x', urlname: 'x' })
    const subject = await stage.create(tag, { last_name_or_title: 'x', urlname: 'x' })
    await patch(location, place, { urlname: 'y' })
    await patch(tag, subject, { urlname: 'y' })
    expect(await history(location, place)).to.deep.equal(['/locations/x/'])
    expect(await history(tag, subject)).to.deep.equal(['/tags/x/'])
  })

  it('exists only for content, sections, locations and tags', async () => {
    const id = await stage.create(file, { title: 'x', filename: 'x' })
    expect(await left(stage.run(readPathHistory(file), stage.as('editor'), { id }))).to.deep.equal(notFound)
    expect(await left(replace(file, id, []))).to.deep.equal(notFound)
    expect(await left(add(file, id, { path: '/x/' }))).to.deep.equal(notFound)
  })

  it('includes paths under the former name of a section at any depth, with one write', async () => {
    const before = await right(stage.documents.get('content', 1, story))
    await patch(section, food, { urlname: 'drinks' })
    expect(await history(section, food)).to.deep.equal(['/food/'])
    expect(await history(section, wine)).to.deep.equal(['/food/wine/'])
    expect(await history(content, story)).to.deep.equal(['/food/wine/a/'])
    expect(await right(stage.documents.get('content', 1, story))).to.deep.equal(before)
  })

  it('includes paths under the former place of a section', async () => {
    await patch(section, wine, { parent_uuid: null })
    expect(await history(content, story)).to.deep.equal(['/food/wine/a/'])
    await patch(section, wine, { parent_uuid: food, urlname: 'vine' })
    expect(await history(content, story)).to.have.members(['/wine/a/', '/food/wine/a/'])
  })

  it('keeps every path that the object had, if it is renamed or moved after its section', async () => {
    await patch(section, food, { urlname: 'drinks' })
    await patch(content, story, { urlname: 'b' })
    expect(await history(content, story)).to.include.members(['/food/wine/a/', '/drinks/wine/a/'])
    await patch(content, story, { section_uuid: null })
    expect(await history(content, story)).to.include.members([
      '/food/wine/a/',
      '/drinks/wine/a/',
      '/drinks/wine/b/',
    ])
  })

  it('is unchanged if replaced by what was read, and empty if replaced by an empty list', async () => {
    await patch(section, food, { urlname: 'drinks' })
    await patch(content, story, { urlname: 'b' })
    const shown = (await history(content, story)).map(String)
    const before = await right(stage.documents.get('content', 1, story))
    await right(replace(content, story, shown))
    expect(await right(stage.documents.get('content', 1, story))).to.deep.equal(before)
    await right(replace(content, story, []))
    expect(await history(content, story)).to.deep.equal([])
    await patch(section, food, { urlname: 'cellar' })
    expect(await history(content, story)).to.deep.equal(['/drinks/wine/b/'])
  })

  it('accepts arbitrary paths, and rejects invalid ones', async () => {
    await right(add(content, story, { path: '/2009/old.html' }))
    await right(add(content, story, { path: '/2009/old.html' }))
    expect(await history(content, story)).to.deep.equal(['/2009/old.html'])
    expect(await faultsOf(add(content, story, { path: 'x' }))).to.have.keys(['path'])
    expect(await faultsOf(replace(content, story, ['/x', 'x']))).to.have.keys(['items.1.path'])
    expect(await history(content, story)).to.deep.equal(['/2009/old.html'])
  })

  it('is visible to every role that may see the object', async () => {
    const reading = stage.run(readPathHistory(content), stage.as('public_user'), { id: story })
    expect(await left(reading)).to.deep.equal(notFound)
    await patch(content, story, { state: 'published', urlname: 'b' })
    expect(await history(content, story, 'public_user')).to.deep.equal(['/food/wine/a/'])
  })

  it('is a field of lists, with the earlier paths of visible objects only, for one query of each level', async () => {
    await patch(content, story, { state: 'published', urlname: 'b' })
    await patch(section, food, { urlname: 'drinks' })
    await stage.create(content, article('draft', { section_uuid: wine }))
    const reads: string[] = []
    const getRelated: typeof stage.documents.getRelated = (instance, related) => {
      reads.push(...related.documents.map(({ collection }) => collection))
      return stage.documents.getRelated(instance, related)
    }
    const another = stage.anotherProcess({ documents: { ...stage.documents, getRelated } })
    const list = async (resource: Resource) =>
      (
        await right(
          another.run(listObjects(resource), stage.as('public_user'), {
            parameters: { fields: 'path-path_history' },
          }),
        )
      ).items
    expect(await list(content)).to.deep.equal([['/drinks/wine/b/', ['/food/wine/a/', '/food/wine/b/']]])
    expect(reads).to.deep.equal(['sections', 'sections'])
    expect(await list(section)).to.deep.equal([
      ['/drinks/', ['/food/']],
      ['/drinks/wine/', ['/food/wine/']],
    ])
  })

  it('is not an attribute of the object', async () => {
    await patch(content, story, { urlname: 'b' })
    const shown = await right(
      stage.run(readObject(content), stage.as('admin'), { id: story, parameters: {} }),
    )
    expect(shown).not.to.have.any.keys('old_paths', 'hidden_paths', 'path_history')
    await right(stage.run(replaceObject(content), stage.as('admin'), { id: story, body: shown }))
    expect(await history(content, story)).to.deep.equal(['/food/wine/a/'])
  })
})
