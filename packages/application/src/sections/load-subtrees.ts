import { badParameters, section } from '@publishing-service/domain'
import {
  maxSubtree,
  subtreesNamedIn,
  subtreeTooLarge,
  withSubtrees,
} from '@publishing-service/domain/content'
import type { Filter } from '@publishing-service/domain/filters'
import { maxSectionDepth } from '@publishing-service/domain/paths'
import { fail } from '../attempt.js'
import { batchesOf } from '../batches-of.js'
import type { InstanceDocuments } from '../instance-store.js'
import type { Session } from '../session.js'
import { forEachPage } from '../engine/for-each-page.js'

/** Sections that one query names: a store reads the part of an index of each of them, in the order of the query. */
export const sectionsPerQuery = 50

/** Sections that one query returns. */
const pageSize = 1000

/** The sections and all below them, level by level; stops after more than `most`. */
export const sectionsFrom = async (
  { documents }: { readonly documents: Pick<InstanceDocuments, 'find'> },
  roots: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> => {
  const all = new Set(roots)
  let level: readonly string[] = [...all]
  for (let depth = 1; level.length > 0 && all.size <= most && depth < maxSectionDepth; depth += 1) {
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

/** The conditions with the sections of the subtrees that they name. Needs a query for each level, if they name any. */
export const loadSubtrees = async (
  session: Session,
  where: readonly Filter[],
): Promise<readonly Filter[]> => {
  const roots = subtreesNamedIn(where)
  if (roots.length === 0) return where
  const sections = await sectionsFrom(session, roots, maxSubtree)
  if (sections.length > maxSubtree) fail(badParameters(subtreeTooLarge))
  return withSubtrees(where, sections)
}
