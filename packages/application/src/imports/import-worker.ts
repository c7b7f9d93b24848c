/**
 * Runs imports, one after another (docs/behaviour/imports.md). One process of all those on a store does that; after its end
 * another one goes on with the import that was running. A repeated import makes nothing twice, so that it reads the file from
 * its start.
 */
import { file, stateIn } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  importTime,
  mostOfLine,
  type ImportKind,
  type ImportSource,
  type OpenMedia,
  type StoredImport,
} from '@publishing-service/domain/imports'
import { secondsLeft } from '@publishing-service/domain/jobs'
import { utf8Length, type JsonObject } from '@publishing-service/domain/json'
import { operations } from '@publishing-service/domain/roles'
import { maxAppendedBytes, type Appended, type Document } from '@publishing-service/ports'
import { readSettings } from '../access/settings.js'
import { requestOfUser } from '../access/request-of-user.js'
import { attempt, fail, orThrow, unwrap } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { removeAllStored } from '../engine/remove-stored.js'
import type { Failure } from '../failure.js'
import { openOriginal } from '../files/derivatives.js'
import { JobQueue } from '../jobs/job-queue.js'
import { JobInterrupted, JobProblem, RunningJob, runJob } from '../jobs/running-job.js'
import type { Sessions } from '../open-session.js'
import type { InstanceRequest } from '../operation-request.js'
import type { ReadOperation } from '../operation.js'
import type { Ports } from '../ports.js'
import type { SystemParts } from '../system-parts.js'
import type { WriteCounters } from '../write-counters.js'
import { runImport, type ImportedRecord, type RunOperation } from './run-import.js'
import { storedImports } from './stored-imports.js'

const { imports, importLines } = systemCollections

/** A file that is open. */
export type OpenedFile = {
  readonly source: ImportSource
  /** Opens data of files that it contains; null if it contains none. */
  readonly media: OpenMedia | null
  readonly close: () => Promise<void>
}

/** The service as it is, of which nothing is written: what an import changes remains in memory. */
export type ImportTrial = {
  readonly sessions: Pick<Sessions, 'open'>
  /** Removes what no later record needs. */
  readonly afterRecord: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Where and when a file is imported. */
export type ImportPlace = {
  readonly instance: number
  /** The time zone of the instance. */
  readonly zone: string
  /** In milliseconds since 1970. */
  readonly now: number
}

/** How the worker reads files of other systems. */
export type ImportFiles = {
  /** Opens data as a file of a kind; else says what is wrong with it. */
  readonly open: (
    kind: ImportKind,
    options: JsonObject,
    place: ImportPlace,
    body: AsyncIterable<Uint8Array>,
  ) => Promise<Either<string, OpenedFile>>
  /** Fetches data of a website. */
  readonly fetchMedia: OpenMedia
  readonly openTrial: () => Promise<ImportTrial>
}

/** Milliseconds for which the roles of the user are used although they may have changed. */
const rightsAge = 1000

/** Leaves space for what a store adds. */
const appendedBytes = maxAppendedBytes / 2

/** What a failure of an operation says about the import: who has begun it may not do it, or the instance is gone. */
const problemOf = (failure: Failure): string => {
  switch (failure._tag) {
    case 'Forbidden':
      return 'the user who has begun it may not import any more'
    case 'NotFound':
      return 'the instance or the file does not exist any more'
    default:
      return fail(failure)
  }
}

/** The file as it is stored; null if there is none. */
const readStoredFile: ReadOperation<{ readonly id: string }, Document | null> = {
  ...operations.readObject(file.collection),
  run: ({ documents }, { id }) => documents.get(file.collection, id),
}

/** A line of the report; null if there is nothing to say about a record. */
const lineOf = ({ origin, object, outcome, notes, faults }: ImportedRecord): JsonObject | null =>
  notes.length === 0 && faults.length === 0
    ? null
    : {
        source: origin.source,
        title: origin.title,
        line: origin.line,
        collection: object?.collection ?? null,
        object: object?.id ?? null,
        outcome,
        faults: faults.slice(0, mostOfLine).map(({ path, message }) => ({ path, message })),
        notes: notes.slice(0, mostOfLine).map((note) => ({ ...note })),
      }

/** An import that runs, with the lines that are written with its next progress. */
class RunningImport extends RunningJob<StoredImport> {
  #lines: Appended[] = []
  #bytes = 0
  readonly #began: number
  readonly #resumedAt: number

  constructor(
    document: Document,
    documents: Pick<SystemParts['documents'], 'write'>,
    private readonly ports: Pick<Ports, 'clock' | 'ids'>,
  ) {
    super(document, storedImports.in(document), imports.name, documents, ports.clock)
    this.#resumedAt = this.value.done
    this.#began = ports.clock.monotonic()
  }

  /** Counts a record, and has its line written with the progress. */
  add(record: ImportedRecord): void {
    const { counts, done, total, instance, lines, results } = this.value
    const { outcome } = record
    const isRecord = outcome !== 'completed'
    this.set({
      counts: { ...counts, [outcome]: counts[outcome] + 1 },
      results: results + 1,
      done: isRecord ? done + 1 : done,
    })
    const line = lineOf(record)
    if (line !== null) {
      const number = lines + 1
      const { ids, clock } = this.ports
      const value = { ...line, number, import: this.id, instance }
      this.#bytes += utf8Length(JSON.stringify(value))
      this.#lines.push({
        collection: importLines.name,
        instance: systemInstance,
        document: { id: ids.uuid(), unique: null, position: clock.position(), value },
      })
      this.set({ lines: number })
    }
    const elapsed = this.ports.clock.monotonic() - this.#began
    const read = this.value.done - this.#resumedAt
    if (total !== null) this.set({ seconds_left: secondsLeft(elapsed, read, total - this.#resumedAt) })
  }

  override isDue(): boolean {
    return this.#bytes >= appendedBytes || super.isDue()
  }

  override async write(): Promise<boolean> {
    const isWritten = await super.write(this.#lines)
    this.#lines = []
    this.#bytes = 0
    return isWritten
  }
}

/** Runs imports in the steps that the process asks for. */
export class ImportWorker {
  /** The queue of imports. */
  readonly queue: JobQueue

  constructor(
    private readonly ports: Pick<Ports, 'blobs' | 'clock' | 'ids' | 'log'>,
    private readonly parts: SystemParts & ImportFiles,
    private readonly sessions: Pick<Sessions, 'open'>,
    writeCounters: WriteCounters,
  ) {
    const collection = { name: imports.name, work: 'imports' } as const
    this.queue = new JobQueue(parts.documents, ports, writeCounters, collection, (document) =>
      this.#run(document),
    )
  }

  /** Runs operations for the user who has begun an import, with the roles that they have at the time. */
  #runFor(sessions: Pick<Sessions, 'open'>, { id, value: { instance, user } }: RunningImport): RunOperation {
    const { documents } = this.parts
    const { clock, ids } = this.ports
    let found: { readonly request: InstanceRequest; readonly at: number } | null = null
    return (operation, input) => () =>
      attempt(async () => {
        const now = clock.monotonic()
        if (found === null || now - found.at > rightsAge) {
          const request = await requestOfUser({ documents, ids }, instance, user)
          if (request === null) return fail({ _tag: 'Forbidden', reason: 'role' })
          found = { request: { ...request, requestId: id, strict: true }, at: now }
        }
        const { run } = await sessions.open(operation, found.request)
        return run(input)
      })
  }

  /** Opens the data of the file in the library. */
  async #openFile(
    run: RunOperation,
    { kind, options, instance, file_uuid: id }: StoredImport,
    { timezone }: JsonObject,
  ): Promise<OpenedFile> {
    const document = await orThrow(run(readStoredFile, { id }))
    const upload = document === null ? null : stateIn(file, document.value).blob
    if (upload === null) throw new JobProblem('the file, or its data, does not exist any more')
    const data = unwrap(await openOriginal(this.ports.blobs, upload))
    const place = { instance, zone: String(timezone), now: this.ports.clock.now() }
    const opened = await this.parts.open(kind, options ?? {}, place, data)
    if (E.isLeft(opened)) throw new JobProblem(opened.left)
    return opened.right
  }

  /** Imports what a file contains. Returns whether it has come to the end: it has not if it is canceled, or is to go on later. */
  async #importFile(
    running: RunningImport,
    { sessions, afterRecord }: Omit<ImportTrial, 'close'>,
    { source, media }: OpenedFile,
  ): Promise<boolean> {
    const run = this.#runFor(sessions, running)
    const { kind, replace, fetch: fetches, results } = running.value
    running.set({ total: source.total })
    if (!(await running.write())) return false
    const openMedia: OpenMedia = async (upload) => {
      const found = media === null ? null : await media(upload)
      if (found !== null && E.isRight(found)) return found
      if (fetches) return this.parts.fetchMedia(upload)
      return found ?? E.left(`${upload.address} is not in the file: import it with fetch`)
    }
    // A bundle has the whole of an object: what it lacks is removed.
    const replaced = kind === 'bundle' ? 'replace whole' : 'replace'
    const whereExists = replace ? replaced : 'skip'
    let counted = 0
    for await (const record of runImport(run, source, { whereExists, openMedia })) {
      await afterRecord()
      counted += 1
      if (counted > results) running.add(record)
      if (!this.queue.isActive()) {
        await running.write()
        return false
      }
      if (running.isDue() && !(await running.write())) return false
    }
    return true
  }

  /**
   * Runs the import where its objects are written: in its instance, or in memory. One in memory that goes on tries again what it has
   * counted already.
   */
  async #importWhole(running: RunningImport): Promise<boolean> {
    const { sessions } = this
    const run = this.#runFor(sessions, running)
    const settings = await orThrow(run(readSettings, {}))
    const opened = await this.#openFile(run, running.value, settings)
    try {
      if (!running.value.dry_run)
        return await this.#importFile(running, { sessions, afterRecord: async () => undefined }, opened)
      const trial = await this.parts.openTrial()
      try {
        return await this.#importFile(running, trial, opened)
      } finally {
        await trial.close()
      }
    } finally {
      await opened.close()
    }
  }

  #run(document: Document): Promise<void> {
    const running = new RunningImport(document, this.parts.documents, this.ports)
    const work = async () => {
      const done = await attempt(() => this.#importWhole(running))
      if (E.isLeft(done)) throw new JobProblem(problemOf(done.left))
      if (!done.right) throw new JobInterrupted()
      return {}
    }
    return runJob(running, this.ports, work, async (isWritten) => {
      const { instance, kind, counts, state, problem } = running.value
      if (isWritten)
        this.ports.log.write('info', 'import ended', {
          import: running.id,
          instance,
          kind,
          state,
          problem,
          ...counts,
        })
    })
  }

  /** Deletes imports that were removed, or have ended 30 days ago, with their reports. Returns their number. */
  expire(): Promise<number> {
    return this.queue.expire(this.ports.clock.now() - importTime, async ({ id }) => {
      await removeAllStored(this.parts.documents, importLines.name, [{ key: 'import', equals: id }])
    })
  }
}
