import type { Document } from '@publishing-service/ports'
import { batchesOf } from '../batches-of.js'
import { sectionsFrom, sectionsPerQuery } from '../sections/load-subtrees.js'
import type { Session } from '../session.js'
import { newestLive, newestOf } from './newest-live.js'

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
): Promise<readonly Document[]> => newestIn(session, await sectionsFrom(session, [id]), limit)
