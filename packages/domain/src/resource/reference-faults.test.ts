/** References of a draft, compared with the objects that were found (docs/behaviour/writing.md#references). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { fault } from '../fault.js'
import type { JsonObject } from '../json.js'
import { location } from '../location/location.js'
import { command, messages, objectId, storedState } from '../testing/index.js'
import type { Reference } from '../value/value-type.js'
import { suppliedReferences } from './draft-attributes.js'
import { draftWrite } from './draft-write.js'
import { findAmong, type FoundObjects } from './read-plan.js'
import { draftFaults, missingTarget } from './reference-faults.js'
import { resourceOf } from './resources.js'

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
    const section = resourceOf('sections')
    if (section === undefined) return expect.fail('there is no collection sections')
    expect(missingTarget(section)).to.equal('names no section of this instance')
    for (const found of [nothing, new Map([[`blogs/${id}`, {}]] as const)])
      expect(faultsOf({ collection: 'sections' }, found)).to.deep.equal([
        fault('at', 'reference', missingTarget(section)),
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
