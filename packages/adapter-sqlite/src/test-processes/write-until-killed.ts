/**
 * Another process's writes: eight writers insert and replace for ever, and print each write that was acknowledged
 * as «id version». It ends only by being killed.
 */
import { E } from '@publishing-service/domain'
import { sqliteDocumentStore } from '../sqlite-document-store.js'
import { things } from '../test-support/fixture-collection.js'

const [, , file = '', name = ''] = process.argv
const store = await sqliteDocumentStore({ file, collections: [things] })

const write = async (writer: number): Promise<never> => {
  for (let i = 0; ; i++) {
    const id = `${name}-${writer}-${i}`
    const value = { title: id, rank: i, content: id.repeat(100), tags: [`round ${name}`, `${i % 5}`] }
    const inserted = await store.insert('things', 1, { id, unique: id, value })()
    if (E.isLeft(inserted)) throw new Error(JSON.stringify(inserted.left))
    process.stdout.write(`${id} 1\n`)
    if (i % 3 !== 0) continue
    const replaced = await store.replace('things', 1, {
      id,
      unique: null,
      version: 1,
      value: { ...value, rank: -i, tags: [`round ${name}`, 'replaced'] },
    })()
    if (E.isLeft(replaced)) throw new Error(JSON.stringify(replaced.left))
    process.stdout.write(`${id} 2\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
