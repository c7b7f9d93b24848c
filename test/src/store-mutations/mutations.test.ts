/** Tests that each mutation of the stores can be made: who changes a store adapts the mutations of its lines. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { edited, mutations } from './mutations.js'

describe('mutations of the stores on SQL', () => {
  it('each changes the compiled packages', async () => {
    for (const { kind, name, edits } of mutations)
      for (const edit of edits) {
        const text = await readFile(join(root, 'packages', edit.file), 'utf8')
        expect(edited(text, edit), `${kind}: ${name}`).not.to.equal(text)
      }
  })
})
