/** Exports for tests. */
import { E } from '@publishing-service/domain/fp'
import type { ImportRecord } from '@publishing-service/domain/imports'
import type { JsonObject } from '@publishing-service/domain/json'
import { readGhost, type GhostOptions } from './read-ghost.js'

export const site = 'https://blog.example.org'

export const options: GhostOptions = { site, memberPosts: 'draft', sections: 'none', redirects: null }

export const exportOf = (tables: JsonObject): JsonObject => ({
  db: [{ meta: { exported_on: 1_700_000_000_000, version: '5.80.0' }, data: tables }],
})

export const recordsOf = async (
  value: unknown,
  changed: Partial<GhostOptions> = {},
): Promise<readonly ImportRecord[]> => {
  const read = readGhost(value, { ...options, ...changed })
  if (E.isLeft(read)) throw new Error(JSON.stringify(read.left))
  const records: ImportRecord[] = []
  for await (const record of read.right.records()) records.push(record)
  if (records.length !== read.right.total) throw new Error('the total is another')
  return records
}

/** The record of the only post of an export. */
export const postOf = async (post: JsonObject): Promise<ImportRecord> => {
  const records = await recordsOf(exportOf({ posts: [{ id: 'p1', title: 'A', slug: 'a', ...post }] }))
  const found = records.find(({ object }) => object?.collection === 'content')
  if (found === undefined) throw new Error('there is no post')
  return found
}

export const lexicalOf = (children: readonly JsonObject[]): string =>
  JSON.stringify({ root: { type: 'root', version: 1, children } })

export const mobiledocOf = (parts: JsonObject): string =>
  JSON.stringify({ version: '0.3.1', atoms: [], cards: [], markups: [], sections: [], ...parts })
