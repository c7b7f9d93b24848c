/** Imports that admins begin and that the service runs by itself (docs/behaviour/imports.md). */
import { badParameters, fault, file, stateIn, within, type Fault } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import {
  importAttributes,
  importLineRows,
  importOptionTypes,
  noCounts,
  type ImportKind,
} from '@publishing-service/domain/imports'
import { newJob } from '@publishing-service/domain/jobs'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { draftOf } from '../administration/draft-of.js'
import { accepted, fail } from '../attempt.js'
import { systemCollections } from '../collections.js'
import { listSystemRows } from '../jobs/stored-jobs.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { storedImports } from './stored-imports.js'

const { importLines } = systemCollections

type Named = { readonly id: string }
type Listed = { readonly parameters: Parameters }

export const listImports: ReadOperation<Listed, Listing> = {
  ...operations.listImports,
  run: (session, { parameters }) => storedImports.list(session, parameters),
}

export const readImport: ReadOperation<Named, JsonObject> = {
  ...operations.readImport,
  run: (session, { id }) => storedImports.read(session, id),
}

export const listImportLines: ReadOperation<Named & Listed, Listing> = {
  ...operations.listImportLines,
  run: async (session, { id, parameters }) => {
    await storedImports.find(session, id)
    return listSystemRows(session, {
      collection: importLines.name,
      rows: importLineRows,
      parameters,
      where: [{ key: 'import', equals: id }],
      initialOrder: [{ key: 'number', direction: 'asc' }],
    })
  },
}

/** Throws BadParameters if the library has no such file, or no data of it. */
const requireFile = async (session: Session, id: string): Promise<void> => {
  const document = await session.documents.get(file.collection, id)
  if (document === null || stateIn(file, document.value).blob === null)
    fail(badParameters([fault('file_uuid', 'reference', 'must be a file of the library with data')]))
}

/** The options of a kind where none are sent. Throws BadParameters if the kind requires some. */
const defaultOptions = (kind: ImportKind): JsonObject => {
  const decoded = importOptionTypes[kind].decode({}, { zone: 'UTC', streamingHosts: [], strict: true })
  return accepted(E.mapLeft((faults: readonly Fault[]) => within('options', faults))(decoded))
}

/** Has the service import a file of the library, after the imports before it. */
export const createImport: WriteOperation<{ readonly body: JsonObject }, string> = {
  ...operations.createImport,
  changed: (_input, id) => ({ object: id }),
  run: async (session, { body }) => {
    const { clock, instance, user } = session
    const draft = draftOf(session, importAttributes, 'put', body, null, 'kind')
    await requireFile(session, draft.file_uuid)
    // What a kind requires is also required where no options are sent.
    const options = draft.options ?? defaultOptions(draft.kind)
    return storedImports.add(session, {
      ...draft,
      options,
      ...newJob(instance.number, user, clock.now()),
      counts: noCounts,
      lines: 0,
      results: 0,
    })
  },
}

/** Cancels an import that waits or runs; removes one that has ended, with its report. */
export const removeImport: WriteOperation<Named, void> = {
  ...operations.removeImport,
  changed: ({ id }) => ({ object: id }),
  run: (session, { id }) => storedImports.remove(session, id),
}
