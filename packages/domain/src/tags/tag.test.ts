/** Tags: persons and default tags, their names, and who sees them (docs/behaviour/tags.md). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { parseCollectionQuery } from '../resource/collection-query.js'
import { isVisibleTo } from '../resource/resource.js'
import { viewOf } from '../resource/read-plan.js'
import { roles } from '../role/permissions.js'
import { codes, command, viewer, viewOn, write } from '../testing/index.js'
import { displayName, tag } from './tag.js'

const bare = { last_name_or_title: 'Wine', urlname: 'wine' }

const put = (input: JsonObject, previous: JsonObject | null = null) =>
  write(tag, command('put', { ...bare, ...input }, previous))

const patch = (input: JsonObject, previous: JsonObject) => write(tag, command('patch', input, previous))

const pathsOf = ({ draft }: ReturnType<typeof put>): readonly string[] => draft.faults.map(({ path }) => path)

const personAttributes = {
  first_name: 'Ada',
  email: 'ada@example.org',
  website: 'https://example.org',
  fb_username: 'ada',
  twitter_username: 'ada',
  instagram_username: 'ada',
  linkedin_url: 'https://example.org/ada',
}

describe('a tag', () => {
  it('needs a name, and is an approved default tag by default', () => {
    expect(pathsOf(write(tag, command('put', {}, null)))).to.deep.equal(['last_name_or_title'])
    expect(put({}).state).to.deep.include({ type: 'default', state: 'approved', synonyms: [] })
  })

  it('has attributes of persons only as a person', () => {
    expect(pathsOf(put(personAttributes))).to.have.members(Object.keys(personAttributes))
    expect(pathsOf(put({ ...personAttributes, type: 'person' }))).to.deep.equal([])
    for (const [name, value] of Object.entries(personAttributes)) {
      const { draft } = patch({ [name]: value }, put({}).state)
      expect(codes(draft.faults)).to.deep.equal({ [name]: 'rule' })
    }
  })

  it('accepts empty attributes of persons', () => {
    const empty = Object.fromEntries(Object.keys(personAttributes).map((name) => [name, null]))
    expect(pathsOf(put({ ...empty, first_name: '' }))).to.deep.equal([])
  })

  it('becomes a default tag only without attributes of persons', () => {
    const person = put({ type: 'person', first_name: 'Ada' }).state
    expect(pathsOf(patch({ type: 'default' }, person))).to.deep.equal(['first_name'])
    expect(pathsOf(patch({ type: 'default', first_name: null }, person))).to.deep.equal([])
  })

  it('is ordered by its name for display', () => {
    const { state } = put({ type: 'person', first_name: 'Ada', last_name_or_title: 'Lovelace' })
    expect(viewOf(tag, state, viewOn(tag, state))).to.include({ title: 'Ada Lovelace' })
    expect(state).to.include({ title_order: 'ada lovelace' })
    for (const first_name of ['', null, undefined])
      expect(displayName({ last_name_or_title: 'Wine', first_name: first_name ?? null })).to.equal('Wine')
  })

  it('accepts the declared states and types, and synonyms that are not empty', () => {
    for (const state of ['approved', 'provisional', 'internal'])
      expect(pathsOf(put({ state }))).to.deep.equal([])
    expect(pathsOf(put({ state: 'live', type: 'Person', synonyms: ['a', ''] }))).to.have.members([
      'state',
      'type',
      'synonyms.1',
    ])
    expect(put({ synonyms: ['Vin', 'Vin'] }).state).to.deep.include({ synonyms: ['Vin', 'Vin'] })
  })

  it('is visible to public_user when it is approved, to other roles always', () => {
    for (const role of roles)
      for (const state of ['approved', 'provisional', 'internal'])
        expect(isVisibleTo(tag, viewer(role), put({ state }).state)).to.equal(
          role !== 'public_user' || state === 'approved',
        )
  })

  it('shares its urlname with no other tag', () => {
    expect(tag.uniqueText(put({}).state)).to.equal('tag/wine')
    expect(tag.unique?.({})).to.include({ message: "'urlname' must be unique for tags." })
  })

  it('is listed by type and state, several joined by hyphens', () => {
    const where = (parameters: Readonly<Record<string, string>>) => {
      const query = parseCollectionQuery(tag, parameters, viewer('admin'), true)
      return E.isRight(query) ? query.right.where : query.left
    }
    expect(where({ type: 'person', state: 'approved-internal' })).to.deep.equal([
      { key: 'type', oneOf: ['person'] },
      { key: 'state', oneOf: ['approved', 'internal'] },
    ])
    expect(where({ type: 'people' })).to.have.nested.property('[0].path', 'type')
  })
})
