import { expect } from 'chai'
import { describe, it } from 'mocha'
import { content } from '../content/content.js'
import { E } from '../fp.js'
import { section } from '../sections/section.js'
import {
  command,
  decided,
  later,
  messages,
  stateAfter,
  objectId,
  storedState,
  now,
} from '../testing/index.js'
import { fault } from '../fault.js'
import type { JsonObject } from '../json.js'
import { location } from '../locations/location.js'
import type { Reference } from '../value/value-type.js'
import { suppliedReferences } from './draft-attributes.js'
import { draftWrite, writeProblem, type Writer } from './draft-write.js'
import { findAmong, type FoundObjects } from './read-plan.js'
import { draftFaults, missingTarget, decideRemoval, preventionOf } from './decide-write.js'
import { resourceOf } from './resources.js'
import { comment } from '../comments/comment.js'
import { firstHomepage, homepage } from '../homepage/homepage.js'

const article = { content_type: 'article', title: 'A title', urlname: 'a-title' }
const sectionId = '11111111-1111-4111-8111-111111111111'
const kultur = { urlname: 'kultur', title: 'Kultur', parent_uuid: null, old_paths: [], hidden_paths: [] }
const withKultur = { objects: new Map([[`sections/${sectionId}`, kultur] as const]) }

describe('decideWrite', () => {
  it('decides on a valid object without asking anything', () => {
    const { outcome, questions } = decided(content, command('put', article))
    expect(questions).to.deep.equal([])
    expect(E.isRight(outcome) && outcome.right.state).to.include({ title: 'A title', state: 'draft' })
  })

  it('ends in all faults at once: of values, references and the urlname', () => {
    const input = { ...article, section_uuid: sectionId, evergreen: 7 }
    const { outcome } = decided(content, command('put', input), { isTaken: () => true })
    if (E.isRight(outcome) || outcome.left._tag !== 'BadParameters') return expect.fail('is accepted')
    expect(messages(outcome.left.faults)).to.include({
      section_uuid: 'names no section of this instance',
      urlname: 'urlname not unique within section',
    })
    expect(messages(outcome.left.faults)).to.have.property('evergreen')
  })

  it('leaves a urlname that is taken to the store where nothing else is wrong', () => {
    expect(decided(content, command('put', article), { isTaken: () => true }).questions).to.deep.equal([])
  })

  it('makes the first urlname of the title that is free', () => {
    const unnamed = command('put', { title: 'A title' })
    const taken = new Set(['a-title', 'a-title-1'])
    const made = stateAfter(section, unnamed, { isTaken: ({ urlname }) => taken.has(String(urlname)) })
    expect(made).to.include({ urlname: 'a-title-2' })
    const next = stateAfter(section, unnamed, {
      isTaken: ({ urlname }) => !String(urlname).endsWith('-60'),
    })
    expect(next).to.include({ urlname: 'a-title-60' })
  })

  it('ends in the previous state itself if nothing changes', () => {
    const previous = stateAfter(content, command('put', article))
    expect(stateAfter(content, command('patch', { title: 'A title' }, previous, { now: later }))).to.equal(
      previous,
    )
  })

  it('refuses what the writer may not make of the object', () => {
    const published = command('put', { ...article, state: 'published' })
    const contributor = { role: 'contributor', user: 'someone' } as const
    const { outcome } = decided(content, published, {}, contributor)
    expect(E.isLeft(outcome) && outcome.left._tag).to.equal('Forbidden')
    expect(E.isRight(decided(content, command('put', article), {}, contributor).outcome)).to.equal(true)
  })

  it('records the path that an object had before it is renamed or moved', () => {
    const previous = stateAfter(content, command('put', { ...article, section_uuid: sectionId }), withKultur)
    const renamed = stateAfter(content, command('patch', { urlname: 'other' }, previous), withKultur)
    expect(renamed['old_paths']).to.deep.equal(['/kultur/a-title/'])
    const changed = stateAfter(content, command('patch', { title: 'Other' }, previous), withKultur)
    expect(changed['old_paths']).to.deep.equal([])
  })

  it('asks what references lead to, and for the last sibling where a default follows from it', () => {
    const input = { title: 'Musik', urlname: 'musik', parent_uuid: sectionId }
    const { outcome, questions } = decided(section, command('put', input), {
      ...withKultur,
      first: { ord: 4 },
    })
    expect(questions).to.deep.equal(['objects', 'first'])
    expect(E.isRight(outcome) && outcome.right.state).to.include({ ord: 5 })
  })
})

// References of a draft, compared with the objects that were found (docs/behaviour/writing.md#references).

const id = '00000000-0000-4000-8000-00000000000a'
const nothing: FoundObjects = new Map()

const faultsOf = (reference: Omit<Reference, 'path' | 'id'>, found: FoundObjects) =>
  draftFaults({ faults: [], references: [{ ...reference, path: 'at', id }] }, found)

describe('draftFaults', () => {
  it('accepts a reference to an object that was found', () => {
    const found: FoundObjects = new Map([[`sections/${id}`, {}]])
    expect(faultsOf({ collection: 'sections' }, found)).to.deep.equal([])
  })

  it('rejects one to an object that was not found, or that has the UUID in another collection', () => {
    const sections = resourceOf('sections')
    if (sections === undefined) return expect.fail('there is no collection sections')
    expect(missingTarget(sections)).to.equal('names no section of this instance')
    for (const found of [nothing, new Map([[`blogs/${id}`, {}]] as const)])
      expect(faultsOf({ collection: 'sections' }, found)).to.deep.equal([
        fault('at', 'reference', missingTarget(sections)),
      ])
  })

  it('accepts only files of the MIME type group of the reference', () => {
    const file = (mimetype: string | null): FoundObjects => new Map([[`files/${id}`, { mimetype }]])
    for (const [media, accepted, message] of [
      ['image', 'image/png', 'names no file of this instance that has an image as its data'],
      ['audio', 'audio/mpeg', 'names no file of this instance that has an audio file as its data'],
    ] as const) {
      expect(faultsOf({ collection: 'files', media }, file(accepted))).to.deep.equal([])
      for (const found of [nothing, file(null), file('video/mp4'), file(`${media}x/png`)])
        expect(faultsOf({ collection: 'files', media }, found)).to.deep.equal([
          fault('at', 'reference', message),
        ])
    }
    expect(faultsOf({ collection: 'files' }, file(null))).to.deep.equal([])
  })

  it('returns faults of values before those of references, and one for each path', () => {
    const references = [
      { path: 'a', collection: 'sections', id },
      { path: 'b', collection: 'sections', id },
    ]
    const faults = draftFaults(
      { faults: [fault('c', 'rule', 'is wrong'), fault('a', 'rule', 'is wrong')], references },
      nothing,
    )
    expect(faults).to.deep.equal([
      fault('c', 'rule', 'is wrong'),
      fault('a', 'rule', 'is wrong'),
      fault('b', 'reference', 'names no section of this instance'),
    ])
  })

  it('compares the references that a write supplied', () => {
    const previous = storedState(location, { title: 'A place', urlname: 'a-place', thumb_uuid: id })
    const faultsOfPatch = (input: JsonObject) => {
      const draft = draftWrite(location, command('patch', input, previous))
      return draftFaults({ faults: draft.faults, references: suppliedReferences(location, draft) }, nothing)
    }
    expect(faultsOfPatch({ title: 'Another name' })).to.deep.equal([])
    expect(messages(faultsOfPatch({ title: '', thumb_uuid: objectId }))).to.have.all.keys(
      'title',
      'thumb_uuid',
    )
  })
})

describe('findAmong', () => {
  it('returns the state of a found object, and undefined for every other', () => {
    const find = findAmong(new Map([[`tags/${id}`, { urlname: 'wine' }]]))
    expect(find('tags', id)).to.deep.equal({ urlname: 'wine' })
    expect(find('tags', objectId)).to.equal(undefined)
    expect(find('files', id)).to.equal(undefined)
  })
})

const published = storedState(content, {
  content_type: 'article',
  title: 'A',
  urlname: 'a',
  state: 'published',
})
const news = storedState(section, { title: 'News', urlname: 'news' })
const reply = storedState(comment, {
  parent_type: 'content',
  parent_uuid: objectId,
  title: 'A',
  comment: 'Yes.',
  creator: 'A',
})

describe('a removal', () => {
  it('removes an object to which nothing refers', () => {
    for (const [resource, state] of [
      [section, news],
      [comment, reply],
    ] as const)
      expect(decideRemoval(resource, state, null, now)).to.deep.equal(E.right({ how: 'removed' }))
  })

  it('is refused while something refers to the object', () => {
    expect(decideRemoval(section, news, 'content', now)).to.deep.equal(
      E.left({ _tag: 'InUse', by: 'content' }),
    )
  })

  it('leaves a placeholder of a comment with replies, once', () => {
    const decision = decideRemoval(comment, reply, 'replies', now)
    if (E.isLeft(decision) || decision.right.how !== 'replaced') return expect.fail('is not replaced')
    const placeholder = decision.right.state
    expect(placeholder).to.deep.include({ deleted: true, creator: null })
    expect(decideRemoval(comment, placeholder ?? {}, 'replies', now)).to.deep.equal(
      E.right({ how: 'replaced', state: null }),
    )
  })

  it('is permitted by role, and to contributors for their own drafts', () => {
    const contributor = { role: 'contributor', user: objectId } as const
    const problemOf = (writer: Writer) => writeProblem(content, writer, { before: published, after: null })
    expect(problemOf({ role: 'editor', user: null })).to.equal(null)
    expect(problemOf({ role: 'reader', user: null })).to.deep.include({
      reason: 'role',
    })
    expect(problemOf(contributor)).to.deep.include({ reason: 'object of another' })
  })

  it('of the default homepage is prevented', () => {
    expect(preventionOf(homepage, firstHomepage.id)).to.deep.include({ _tag: 'MethodNotAllowed' })
    expect(preventionOf(section, firstHomepage.id)).to.equal(null)
  })
})
