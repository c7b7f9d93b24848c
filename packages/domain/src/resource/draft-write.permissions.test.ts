/** What each role may write: the matrix, and for a contributor only its own drafts (docs/roles.md). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { content } from '../content/content.js'
import { file } from '../files/file.js'
import type { JsonObject } from '../json.js'
import { location } from '../locations/location.js'
import { forbidden } from '../fault.js'
import { roles, type Role } from '../role/permissions.js'
import { writeProblem } from './draft-write.js'

const user = '1d1f2a31-57a9-4f0c-9a8e-0d3c3b8c2a10'
const ownDraft: JsonObject = { state: 'draft', created_by: user }
const ownPublished: JsonObject = { state: 'published', created_by: user }
const draftOfAnother: JsonObject = { state: 'draft', created_by: '2d1f2a31-57a9-4f0c-9a8e-0d3c3b8c2a10' }

const may = (role: Role, before: JsonObject | null, after: JsonObject | null, writer: string | null = user) =>
  writeProblem(content, { role, user: writer }, { before, after }) === null

describe('writeProblem', () => {
  it('lets a contributor create, change and delete its own drafts', () => {
    expect(may('contributor', null, ownDraft)).to.equal(true)
    expect(may('contributor', ownDraft, ownDraft)).to.equal(true)
    expect(may('contributor', ownDraft, null)).to.equal(true)
  })

  it('does not permit a contributor to publish, or to change published objects', () => {
    expect(may('contributor', null, ownPublished)).to.equal(false)
    expect(may('contributor', ownDraft, ownPublished)).to.equal(false)
    expect(may('contributor', ownPublished, ownDraft)).to.equal(false)
    expect(may('contributor', ownPublished, null)).to.equal(false)
  })

  it('does not permit a contributor to change drafts of other users or without a user', () => {
    for (const before of [draftOfAnother, { state: 'draft', created_by: null }]) {
      expect(may('contributor', before, before)).to.equal(false)
      expect(may('contributor', before, null)).to.equal(false)
      expect(may('contributor', before, before, null)).to.equal(false)
    }
  })

  it('states whether the object is that of another, or would be published', () => {
    const reasonOf = (before: JsonObject | null, after: JsonObject) =>
      writeProblem(content, { role: 'contributor', user }, { before, after })
    expect(reasonOf(draftOfAnother, draftOfAnother)).to.have.property('reason', 'object of another')
    expect(reasonOf(null, ownPublished)).to.have.property('reason', 'publication')
    expect(reasonOf(ownPublished, ownDraft)).to.have.property('reason', 'publication')
  })

  it('treats a file without data as a draft', () => {
    const writer = { role: 'contributor', user } as const
    const empty: JsonObject = { upload: null, created_by: user }
    const full: JsonObject = { upload: 1, created_by: user }
    expect(writeProblem(file, writer, { before: empty, after: empty })).to.equal(null)
    expect(writeProblem(file, writer, { before: full, after: full })).to.have.property('_tag', 'Forbidden')
    expect(writeProblem(file, writer, { before: full, after: null })).to.have.property('_tag', 'Forbidden')
  })

  it('does not restrict stronger roles, and does not permit weaker ones to write', () => {
    for (const role of roles)
      for (const [before, after] of [
        [null, ownPublished],
        [draftOfAnother, ownPublished],
        [ownPublished, null],
      ] as const) {
        expect(may(role, before, after)).to.equal(role === 'editor' || role === 'admin')
      }
    const draft = { before: null, after: ownDraft }
    expect(writeProblem(location, { role: 'contributor', user }, draft)).to.deep.equal(forbidden)
    expect(writeProblem(content, { role: 'reader', user }, draft)).to.deep.equal(forbidden)
  })
})
