import type { ImportRecord } from '@publishing-service/domain/imports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readObjectLines } from './object-lines.js'

const id = '5d0c7a52-1e4b-4f6a-9d88-000000000001'

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

const read = async (...lines: readonly string[]): Promise<readonly ImportRecord[]> => {
  const { records, total } = await readObjectLines(() => each(lines))
  const found: ImportRecord[] = []
  for await (const record of records()) found.push(record)
  expect(total).to.equal(found.length)
  return found
}

const faultsOf = async (line: unknown): Promise<readonly string[]> => {
  const [record] = await read(typeof line === 'string' ? line : JSON.stringify(line))
  expect(record?.object).to.equal(null)
  return record?.faults.map(({ path }) => path) ?? []
}

describe('readObjectLines', () => {
  it('returns objects, with parts that may be absent', async () => {
    const section = { collection: 'sections', id: id.toUpperCase(), attributes: { title: 'News' } }
    const tagged = { ...section, tags: [{ tag: id, predicate: 'describes', attributes: {} }] }
    const [first, second] = await read(JSON.stringify(section), '', JSON.stringify(tagged))
    expect(first?.object).to.deep.include({ collection: 'sections', id, slots: [], upload: null })
    expect(first?.origin).to.deep.equal({ source: `sections ${id}`, title: 'News', line: 1 })
    expect(second?.object?.tags).to.deep.equal(tagged.tags)
    expect(second?.origin.line).to.equal(3)
  })

  it('names what is wrong with a line, and where', async () => {
    const whole = { collection: 'content', id, attributes: {} }
    expect(await faultsOf('{')).to.deep.equal([''])
    expect(await faultsOf('[]')).to.deep.equal([''])
    expect(await faultsOf({})).to.deep.equal(['collection', 'id', 'attributes'])
    expect(await faultsOf({ ...whole, id: '7' })).to.deep.equal(['id'])
    expect(await faultsOf({ ...whole, slot: [] })).to.deep.equal(['slot'])
    expect(await faultsOf({ ...whole, slots: {} })).to.deep.equal(['slots'])
    expect(await faultsOf({ ...whole, slots: [{ id, attributes: {}, media: [1] }] })).to.deep.equal([
      'slots.0.media.0',
    ])
    expect(await faultsOf({ ...whole, upload: { address: 1, type: null } })).to.include('upload.address')
  })
})
