/** Which former uploads a file remembers, and how long their addresses lead to its data. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { stateIn } from '../resource/attribute-tables.js'
import { later, objectId, withoutAddon } from '../testing/index.js'
import { file, recordUpload } from './file.js'
import { isFormerUpload, mostFormerUploads, redirectedFor } from './file-data.js'

const start = 1_000_000_000
const uploadAt = (state: JsonObject, at: number): JsonObject =>
  recordUpload(
    state,
    { byte_size: 1 },
    {
      id: objectId,
      now: later,
      role: 'editor',
      user: null,
      settings: withoutAddon,
      at,
    },
  )
const isFormer = (state: JsonObject, upload: number, at: number): boolean =>
  isFormerUpload(stateIn(file, state), upload, at)

// docs/behaviour/files.md#download-address
describe('the former uploads of a file', () => {
  it('are known for a day after their data was replaced, also if they were stored without former ones', () => {
    const stored = { title: 'Apples', filename: 'apples.jpg', upload: 7 }
    const once = uploadAt(stored, start)
    const twice = uploadAt(once, start + 10)
    expect(isFormer(stored, 7, start)).to.equal(false)
    for (const [state, upload, end] of [
      [once, 7, start + redirectedFor],
      [twice, 7, start + redirectedFor],
      [twice, start, start + 10 + redirectedFor],
    ] as const) {
      expect(isFormer(state, upload, end - 1)).to.equal(true)
      expect(isFormer(state, upload, end)).to.equal(false)
      expect(isFormer(state, upload + 1, end - 1)).to.equal(false)
    }
    expect(uploadAt(twice, start + redirectedFor)['former_uploads']).to.deep.equal([
      { upload: start + 10, replaced: start + redirectedFor },
      { upload: start, replaced: start + 10 },
    ])
  })

  it('are limited in number, the newest first; the first upload has none', () => {
    let state: JsonObject = {}
    for (let at = 0; at <= mostFormerUploads + 1; at += 1) state = uploadAt(state, start + at)
    const uploads = stateIn(file, state).former_uploads?.map(({ upload }) => upload)
    expect(uploads).to.deep.equal(Array.from({ length: mostFormerUploads }, (_, at) => start + 20 - at))
    expect(uploadAt({}, start)).to.deep.include({ upload: start, former_uploads: [] })
  })

  it('have smaller numbers than later ones, also if the clock was set back', () => {
    expect(uploadAt(uploadAt({}, start), start - 5)).to.include({ upload: start + 1 })
  })
})
