/** Files: metadata first, then data, which only the service sets (docs/behaviour/files.md). */
import { isVisibleTo } from '../resource/resource.js'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { readPlan, viewOf } from '../resource/read-plan.js'
import { command, later, objectId, viewer, viewOn, withoutAddon, write } from '../testing/index.js'
import { file, recordUpload } from './file.js'

const metadata = { title: 'Äpfel', filename: 'apples.jpg' }
const make = (input: JsonObject): JsonObject => write(file, command('put', input, null)).state
const withData = (state: JsonObject): JsonObject => ({
  ...state,
  mimetype: 'image/png',
  byte_size: 7,
  upload: 3,
  blob: '1/a/b',
})
const circumstances = {
  id: objectId,
  now: later,
  role: 'editor',
  user: null,
  settings: withoutAddon,
  at: 1,
} as const
const shown = (state: JsonObject): JsonObject => viewOf(file, state, viewOn(file, state))

describe('a file', () => {
  it('needs a title and a filename', () => {
    const { draft } = write(file, command('put', {}, null))
    expect(draft.faults.map(({ path }) => path)).to.deep.equal(['title', 'filename'])
  })

  it('has no type, size or download address before its upload, and null for them in rows', () => {
    const state = make(metadata)
    const ofData = ['mimetype', 'byte_size', 'download_url']
    expect(shown(state))
      .to.include({ width: null, height: null })
      .and.not.have.any.keys(...ofData)
    expect(shown(withData(state))).to.include.all.keys(...ofData)
    expect(readPlan(file, viewOn(file, state), ofData).row(state, viewOn(file, state))).to.deep.equal([
      null,
      null,
      null,
    ])
  })

  it('has a download address with the number of the upload', () => {
    expect(shown(withData(make(metadata)))['download_url']).to.equal(`/1/files/${objectId}/download/3`)
  })

  // docs/behaviour/files.md#modified
  it('keeps a modified that was sent through the upload that follows, and no other', () => {
    const [sent, other] = ['2001-01-01T00:00:00', '2002-01-01T00:00:00']
    const change = (mode: 'put' | 'patch', input: JsonObject, previous: JsonObject | null) =>
      write(file, command(mode, input, previous)).state
    const upload = (state: JsonObject) => recordUpload(state, { byte_size: 1 }, circumstances)
    const created = change('put', { ...metadata, modified: sent }, null)
    const uploaded = upload(created)
    expect(uploaded).to.include({ modified: sent })
    expect(upload(uploaded)).to.include({ modified: later })
    expect(upload(change('put', { ...metadata, modified: sent }, uploaded))).to.include({ modified: later })
    for (const mode of ['put', 'patch'] as const)
      expect(upload(change(mode, { ...metadata, modified: other }, uploaded))).to.include({ modified: other })
    expect(upload(change('patch', { title: 'New' }, created))).to.include({ modified: later })
    expect(upload(change('put', metadata, null))).to.include({ modified: later })
  })

  it('ignores attributes of the data that clients send', () => {
    const sent = {
      ...metadata,
      mimetype: 'text/html',
      byte_size: 1,
      width: 1,
      height: 1,
      upload: 9,
      sha256: 'x',
      blob: '../x',
    }
    expect(make(sent)).to.deep.equal(make(metadata))
    const state = write(file, command('put', metadata, withData(make(metadata)))).state
    const patched = write(file, command('patch', sent, state)).state
    for (const name of ['mimetype', 'byte_size', 'width', 'height', 'upload', 'sha256', 'blob'])
      expect(patched[name], name).to.equal(state[name] ?? null)
  })

  it('never returns the path of its blob', () => {
    expect(shown(withData(make(metadata)))).not.to.have.any.keys(
      'blob',
      'sha256',
      'upload',
      'mimetype_group',
      'title_order',
    )
  })

  it('is found by the group of its type, and ordered by its folded title', () => {
    expect(recordUpload(make(metadata), { mimetype: 'image/png' }, circumstances)).to.include({
      mimetype_group: 'image',
      title_order: 'apfel',
    })
    expect(make(metadata)['mimetype_group']).to.equal(null)
  })

  it('is visible to public_user when it has data, to other roles always', () => {
    const sees = (role: 'public_user' | 'reader', state: JsonObject) =>
      isVisibleTo(file, viewer(role, { settings: withoutAddon }), state)
    expect(sees('public_user', make(metadata))).to.equal(false)
    expect(sees('public_user', withData(make(metadata)))).to.equal(true)
    expect(sees('reader', make(metadata))).to.equal(true)
  })
})
