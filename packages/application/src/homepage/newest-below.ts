import { section } from '@publishing-service/domain'
import { maxSectionDepth } from '@publishing-service/domain/paths'
import type { Document } from '@publishing-service/ports'
import { batchesOf } from '../batches-of.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { InstanceDocuments } from '../instance-store.js'
import type { Session } from '../session.js'
import { newestLive, newestOf } from './newest-live.js'

/** Sections that one query names: a store reads the part of an index of each of them, in the order of the query. */
const sectionsPerQuery = 50

/** Sections that one query returns. */
const pageSize = 1000

/** The section and those below it. */
export const sectionsFrom = async (
  { documents }: { readonly documents: Pick<InstanceDocuments, 'find'> },
  id: string,
): Promise<readonly string[]> => {
  const all = new Set([id])
  let level: readonly string[] = [id]
  for (let depth = 1; level.length > 0 && depth < maxSectionDepth; depth += 1) {
    const below: string[] = []
    for (const parents of batchesOf(level, sectionsPerQuery)) {
      const where = [{ key: 'parent_uuid', oneOf: parents }]
      await forEachPage({ documents, collection: section.collection, where, limit: pageSize }, (found) =>
        below.push(...found.map((each) => each.id)),
      )
    }
    level = below.filter((each) => !all.has(each))
    level.forEach((each) => all.add(each))
  }
  return [...all]
}

/** The newest live content in any of the sections. */
const newestIn = async (
  session: Session,
  sections: readonly string[],
  limit: number,
): Promise<readonly Document[]> => {
  let newest: readonly Document[] = []
  for (const batch of batchesOf(sections, sectionsPerQuery)) {
    const found = await newestLive(session, [{ key: 'section_uuid', oneOf: batch }], limit)
    newest = newestOf([...newest, ...found], limit)
  }
  return newest
}

/** The newest live content in the section and in all sections below it. */
export const newestBelow = async (
  session: Session,
  id: string,
  limit: number,
): Promise<readonly Document[]> => newestIn(session, await sectionsFrom(session, id), limit)
