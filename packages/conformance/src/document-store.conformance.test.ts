import { readFile } from 'node:fs/promises'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { sentences } from './document-store/sentences.js'

describe('The suite of the document store', () => {
  it('titles its tests with the sentences of the port, each one of them', async () => {
    const port = await readFile(new URL('../../ports/src/document-store.ts', import.meta.url), 'utf8')
    const [comment] = port.split('export type DocumentStore =')[0]?.split('/**').slice(-1) ?? []
    const written = (comment ?? '')
      .split('\n * - ')
      .slice(1)
      .map((sentence) => sentence.split('\n */')[0]?.replaceAll('\n *', '').replace(/\s+/g, ' ').trim())
    expect(Object.values(sentences)).to.deep.equal(written)
  })
})
