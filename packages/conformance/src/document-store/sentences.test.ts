import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { searchSentences, sentences } from './sentences.js'

const port = new URL('../../../ports/src/document-store.ts', import.meta.url)

/** The list in the comment before this declaration. */
const listBefore = (source: string, declaration: string): readonly string[] => {
  const end = source.indexOf(`\n */\nexport type ${declaration} =`)
  const comment = source.slice(source.lastIndexOf('/**', end), end).replaceAll(/\n \* ?/g, '\n')
  return comment
    .split('\n- ')
    .slice(1)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
}

describe('The sentences of the suites', () => {
  for (const [declaration, titles] of Object.entries({
    DocumentStore: sentences,
    WordsCondition: searchSentences,
  }))
    it(`are those of the comment of ${declaration}`, async () => {
      const expected = listBefore(await readFile(port, 'utf8'), declaration)
      expect(Object.values<string>(titles)).to.have.members(expected)
    })
})
