/**
 * Another process that opens a store and competes for unique texts `0` to `n - 1`, eight at a time; prints each
 * that it won, and «done».
 */
import { changes } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import { sqliteDocumentStore } from '../sqlite-document-store.js'
import { things } from '../test-support/fixture-collection.js'

const [, , file = '', name = '', texts = ''] = process.argv
const store = await sqliteDocumentStore({ file, collections: [things] })
let next = 0

const compete = async (): Promise<void> => {
  while (next < Number(texts)) {
    const unique = `${next++}`
    const won = await changes(store).insert('things', 1, {
      id: `${name}-${unique}`,
      unique,
      value: { title: unique, kind: name, tags: ['all', `${next % 3}`] },
    })()
    if (E.isRight(won)) process.stdout.write(`${unique}\n`)
    else if (won.left._tag !== 'UniqueConflict') throw new Error(JSON.stringify(won.left))
  }
}

await Promise.all(Array.from({ length: 8 }, compete))
await store.close()
process.stdout.write('done\n')
