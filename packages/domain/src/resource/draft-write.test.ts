/** How a request is merged into the previous state: defaults, required, fixed, retained, read-only, aliases, and all faults. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Json, JsonObject } from '../json.js'
import { content } from '../content/content.js'
import { file } from '../files/file.js'
import { codes, command, later, now, objectId, withoutAddon, write } from '../testing/index.js'
import { boolean, integer } from '../value/scalar.js'
import { text } from '../value/text.js'
import { computed, derived, stored, type AliasAttribute } from './attribute.js'
import { suppliedReferences } from './draft-attributes.js'
import type { WriteCommand } from './draft-write.js'
import { defineResource } from './resource.js'

const nickname: AliasAttribute = {
  kind: 'alias',
  type: text({ max: 5 }),
  description: 'Older name of title.',
  instead: 'title',
  derive: (state) => state['title'] ?? null,
  assign: (draft, value: Json) => ({ ...draft, title: value }),
}

const attributes = {
  title: stored(text({ max: 10, min: 1 }), 'Title.', { required: true }),
  color: stored(text({ max: 10 }), 'Color.', { initial: 'red' }),
  note: stored(text({ max: 10 }), 'Note.'),
  shape: stored(text({ max: 10 }), 'Shape.', { fixed: true }),
  born: stored(text({ max: 10 }), 'Born.', { retained: true }),
  size: stored(integer({ min: 0, max: 9 }), 'Size.', { readOnly: true }),
  secret: stored(text({ max: 10 }), 'Secret.', { internal: true, initial: 'hidden' }),
  sponsored: stored(boolean, 'Sponsored.', { addon: true, initial: false }),
  nickname,
  shout: derived({ type: 'string' }, 'Title, louder.', ({ title }: { readonly title: string | null }) =>
    String(title).toUpperCase(),
  ),
  length: computed(
    'number',
    'Length of the title.',
    ['title'],
    ({ title }: { readonly title: string | null }) => (title ?? '').length,
  ),
} as const

const thing = defineResource({
  name: 'thing',
  collection: 'files',
  description: 'Things.',
  attributes,
  orders: {},
  filters: {},
  indexes: [],
  unique: () => null,
  check: (state) =>
    state.note === state.color
      ? [{ path: 'note', code: 'rule' as const, message: 'must differ from color' }]
      : [],
})

const put = (input: JsonObject, previous: JsonObject | null = null, rest: Partial<WriteCommand> = {}) =>
  write(thing, command('put', input, previous, rest))

const patch = (input: JsonObject, previous: JsonObject, rest: Partial<WriteCommand> = {}) =>
  write(thing, command('patch', input, previous, rest))

const whole = put({
  title: 'One',
  color: 'blue',
  note: 'n',
  shape: 'round',
  born: 'then',
  sponsored: true,
}).state
const paths = ({ draft }: ReturnType<typeof put>): readonly string[] => draft.faults.map(({ path }) => path)

describe('a PUT', () => {
  it('sets attributes that were not sent to their default, else null', () => {
    expect(put({ title: 'One' }).state).to.deep.equal({
      title: 'One',
      color: 'red',
      note: null,
      shape: null,
      born: null,
      size: null,
      secret: 'hidden',
      sponsored: false,
      length: 3,
    })
  })

  it('treats null as «not supplied»', () => {
    expect(put({ title: 'One', color: null, note: null }).state).to.deep.equal(put({ title: 'One' }).state)
    expect(paths(put({ title: null }))).to.deep.equal(['title'])
  })

  it('resets stored attributes that are not sent to their default, except retained ones', () => {
    const { state } = put({ title: 'Two' }, whole)
    expect(state).to.include({
      title: 'Two',
      color: 'red',
      note: null,
      shape: null,
      born: 'then',
      sponsored: false,
    })
  })

  it('ignores attributes that the service sets, and keeps their values', () => {
    const previous = { ...whole, size: 7, secret: 'known' }
    const { state } = put({ title: 'Two', size: 1, secret: 'guess', length: 99, shout: 'X' }, previous)
    expect(state).to.include({ size: 7, secret: 'known', length: 3 })
  })

  it('reports one fault for each faulty attribute, and keeps the previous values of these', () => {
    const result = put(
      { title: '', color: true, note: 'x'.repeat(11), sponsored: 'yes', nickname: 'too long' },
      whole,
    )
    expect(paths(result)).to.have.members(['title', 'color', 'note', 'sponsored'])
    expect(result.draft.state).to.include({ note: null, color: 'red' })
    expect(paths(put({ color: 'a', note: 'a' }))).to.have.members(['title', 'note'])
  })
})

describe('a PATCH', () => {
  it('changes only the attributes that are sent', () => {
    expect(patch({ color: 'green' }, whole).state).to.deep.equal({ ...whole, color: 'green' })
    expect(patch({}, whole).state).to.deep.equal(whole)
  })

  it('resets an attribute with null to the default, and rejects null for a required one', () => {
    expect(patch({ color: null, note: null, born: null }, whole).state).to.include({
      color: 'red',
      note: null,
      born: null,
    })
    const refused = patch({ title: null }, whole)
    expect(codes(refused.draft.faults)).to.deep.equal({ title: 'required' })
    expect(refused.draft.state['title']).to.equal('One')
  })

  it('rejects a change of a fixed attribute, and accepts its current value', () => {
    expect(paths(patch({ shape: 'square' }, whole))).to.deep.equal(['shape'])
    expect(paths(patch({ shape: 'round' }, whole))).to.deep.equal([])
  })

  it('does not validate unchanged values again', () => {
    const previous = { ...whole, note: 'longer than it may be' }
    expect(paths(patch({ note: 'longer than it may be' }, previous))).to.deep.equal([])
    expect(paths(put({ title: 'One', note: 'longer than it may be' }, previous))).to.deep.equal([])
    expect(paths(patch({ note: 'longer than it may bf' }, previous))).to.deep.equal(['note'])
  })
})

describe('an older name', () => {
  it('writes its attribute when it is sent alone', () => {
    expect(patch({ nickname: 'Nick' }, whole).state).to.include({ title: 'Nick', length: 4 })
  })

  it('is ignored and not validated when that attribute is sent too', () => {
    const result = patch({ title: 'Two', nickname: 'much too long' }, whole)
    expect(paths(result)).to.deep.equal([])
    expect(result.state['title']).to.equal('Two')
  })

  it('has faults under its own name', () => {
    expect(paths(patch({ nickname: 'much too long' }, whole))).to.deep.equal(['nickname'])
  })
})

describe('an unknown attribute', () => {
  it('is ignored with any value', () => {
    const hostile = JSON.parse(
      '{"title": "One", "__proto__": {"color": "x"}, "constructor": 1, "toString": 2}',
    ) as JsonObject
    expect(put(hostile).draft.faults).to.deep.equal([])
    expect(put(hostile).state).to.deep.equal(put({ title: 'One' }).state)
  })

  it('is a fault with strict handling, but a read-only attribute is not', () => {
    const input = {
      title: 'One',
      tilte: 'x',
      secret: 'x',
      length: 1,
      size: 1,
      shout: 'X',
      nickname: 'n',
      uuid: objectId,
      url: 'u',
    }
    expect(paths(put(input, null, { strict: true }))).to.have.members(['tilte', 'secret', 'length'])
    const hostile = JSON.parse('{"title": "One", "__proto__": 1, "constructor": 1}') as JsonObject
    expect(paths(put(hostile, null, { strict: true }))).to.have.members(['__proto__', 'constructor'])
  })

  it('can be tolerated by the resource with strict handling', () => {
    const article = { content_type: 'article', title: 't', urlname: 'u' }
    const faultsFor = (input: JsonObject) =>
      write(content, command('put', { ...article, ...input }, null, { strict: true })).draft.faults.map(
        ({ path }) => path,
      )
    expect(faultsFor({ roundup_locations: [], roundup_content_targets: [] })).to.deep.equal([])
    expect(faultsFor({ roundup_locations: [{}] })).to.deep.equal(['roundup_locations'])
    expect(faultsFor({ rating: '1' })).to.deep.equal(['rating'])
  })
})

describe('a body’s uuid', () => {
  it('must be that of the path, in either case', () => {
    for (const uuid of [objectId, objectId.toUpperCase(), null])
      expect(paths(put({ title: 'One', uuid }))).to.deep.equal([])
    for (const uuid of ['', 'x', 7, {}, objectId.replace('9', '8')])
      expect(paths(put({ title: 'One', uuid }))).to.deep.equal(['uuid'])
  })
})

describe('without the directory add-on', () => {
  const rest = { settings: withoutAddon }

  it('its attributes are rejected when set, and ignored when false or null', () => {
    expect(paths(put({ title: 'One', sponsored: true }, null, rest))).to.deep.equal(['sponsored'])
    for (const sponsored of [false, null])
      expect(paths(put({ title: 'One', sponsored }, null, rest))).to.deep.equal([])
  })

  it('their stored values are kept', () => {
    for (const input of [{}, { sponsored: false }, { sponsored: null }])
      expect(patch(input, whole, rest).state['sponsored']).to.equal(true)
    expect(put({ title: 'One' }, whole, rest).state['sponsored']).to.equal(true)
    expect(put({ title: 'One' }, null, rest).state['sponsored']).to.equal(false)
  })
})

describe('stamps', () => {
  const input = { title: 't', filename: 'f' }
  const made = write(file, command('put', input, null)).state
  const changed = (sent: JsonObject, mode: 'put' | 'patch' = 'patch') =>
    write(file, command(mode, sent, made, { now: later })).state

  it('are now on creation, unless sent', () => {
    expect(made).to.include({ created: now, modified: now })
    const past = { ...input, created: '2001-01-01', modified: '2002-02-02T02:02' }
    expect(write(file, command('put', past, null)).state).to.include({
      created: '2001-01-01T00:00:00',
      modified: '2002-02-02T02:02:00',
    })
  })

  it('modified changes only with a write that changes something', () => {
    expect(changed({ title: 'u' })).to.include({ created: now, modified: later })
    expect(changed({ title: 't' })).to.deep.equal(made)
    expect(changed(input, 'put')).to.deep.equal(made)
  })

  it('modified does not change for an attribute that was added to the table', () => {
    const { state } = write(
      content,
      command('put', { content_type: 'article', title: 't', urlname: 'u' }, null),
    )
    const { kicker: _kicker, evergreen: _evergreen, ...stored_ } = state
    const again = write(content, command('put', state, stored_, { now: later }))
    expect(again.state['modified']).to.equal(now)
  })

  it('modified is what is sent, and created can be set and stays on a replace', () => {
    expect(changed({ title: 'u', modified: '2003-03-03' })['modified']).to.equal('2003-03-03T00:00:00')
    expect(changed({ created: '2001-01-01' })).to.include({ created: '2001-01-01T00:00:00', modified: later })
    expect(changed({ ...input, title: 'u' }, 'put')['created']).to.equal(now)
  })

  it('are set again when they are cleared', () => {
    expect(changed({ created: null })['created']).to.equal(later)
    expect(changed({ modified: null, title: 'u' })['modified']).to.equal(later)
  })
})

describe('the references of a request', () => {
  const roundup = { content_type: 'roundup_content', title: 't', urlname: 'u' }
  const pathsIn = (roundup_content_targets: Json): readonly string[] =>
    suppliedReferences(
      content,
      write(content, command('put', { ...roundup, roundup_content_targets }, null)).draft,
    ).map(({ path }) => path)

  it('have paths, also next to faulty items', () => {
    expect(pathsIn([{ target_uuid: objectId }])).to.deep.equal(['roundup_content_targets.0.target_uuid'])
    const items: Json = [
      { target_uuid: objectId },
      { target_uuid: 'x' },
      { target_uuid: objectId, title: 7 },
      7,
      {},
    ]
    expect(pathsIn(items)).to.deep.equal([
      'roundup_content_targets.0.target_uuid',
      'roundup_content_targets.2.target_uuid',
    ])
  })

  it('are not searched in a value that is rejected as a whole', () => {
    for (const refused of ['x', 7, {}, Array.from({ length: 501 }, () => ({ target_uuid: objectId }))])
      expect(pathsIn(refused)).to.deep.equal([])
  })
})
