/** Makes exports of instances, one after another (docs/behaviour/exports.md). An export that was interrupted begins anew. */
import { E } from '@publishing-service/domain/fp'
import { exportTime, secondsLeft, type StoredExportJob } from '@publishing-service/domain/jobs'
import type { Document } from '@publishing-service/ports'
import { requestOfUser } from '../access/request-of-user.js'
import { attempt, orThrow } from '../attempt.js'
import { systemCollections } from '../collections.js'
import { JobQueue } from '../jobs/job-queue.js'
import { JobInterrupted, JobProblem, RunningJob, runJob } from '../jobs/running-job.js'
import type { Sessions } from '../open-session.js'
import type { Ports } from '../ports.js'
import type { CopyProgress } from '../storage-copy/copy-run.js'
import type { SystemParts } from '../system-parts.js'
import type { WriteCounters } from '../write-counters.js'
import type { NewBundle } from './bundle-files.js'
import type { Bundles } from './bundles.js'
import { listExports } from './export-operations.js'
import { exportBlob } from './export-blobs.js'
import { storedExports } from './stored-exports.js'

const { exports } = systemCollections

/** A bundle in a file. */
export type BundleFile = NewBundle & {
  /** Completes it, and returns its size in bytes. */
  readonly complete: () => Promise<number>
  /** What was written, once it is complete. */
  readonly read: () => AsyncIterable<Uint8Array>
  /** Removes the file. */
  readonly remove: () => Promise<void>
}

/** Creates a temporary file for a bundle. */
export type CreateBundleFile = (time: Date) => Promise<BundleFile>

const filenameOf = (title: string, time: number): string =>
  `${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'instance'}-${new Date(time).toISOString().slice(0, 10)}.zip`

export class ExportWorker {
  /** The queue of exports. */
  readonly queue: JobQueue

  constructor(
    private readonly ports: Pick<Ports, 'blobs' | 'clock' | 'ids' | 'log'>,
    private readonly parts: Pick<SystemParts, 'documents'> & {
      readonly bundles: Pick<Bundles, 'exportInstance'>
      readonly createFile: CreateBundleFile
    },
    private readonly sessions: Pick<Sessions, 'open'>,
    writeCounters: WriteCounters,
  ) {
    const collection = { name: exports.name, work: 'exports' } as const
    this.queue = new JobQueue(parts.documents, ports, writeCounters, collection, (document) =>
      this.#run(document),
    )
  }

  /** Whether the user who has begun the export may read exports now. */
  async #isPermitted({ instance, user }: StoredExportJob): Promise<boolean> {
    const { documents } = this.parts
    const request = await requestOfUser({ documents, ids: this.ports.ids }, instance, user)
    if (request === null) return false
    const opened = await attempt(() => this.sessions.open(listExports, request))
    return E.isRight(opened)
  }

  /** Writes the bundle to a file, and the file to the blob store. */
  async #export(
    running: RunningJob<StoredExportJob>,
    file: BundleFile,
  ): Promise<
    Pick<StoredExportJob, 'documents' | 'blobs' | 'without_data' | 'bytes' | 'filename' | 'sha256'>
  > {
    const { clock, blobs } = this.ports
    const { instance, history } = running.value
    const goOn = async (): Promise<void> => {
      if (!this.queue.isActive() || (running.isDue() && !(await running.write()))) throw new JobInterrupted()
    }
    async function* checked<A>(data: AsyncIterable<A>): AsyncGenerator<A, void, void> {
      for await (const piece of data) {
        await goOn()
        yield piece
      }
    }
    let [step, began] = ['', clock.monotonic()]
    const onProgress = ({ step: name, done, total }: CopyProgress): void => {
      if (name !== step) [step, began] = [name, clock.monotonic()]
      running.set({ step, done, total, seconds_left: secondsLeft(clock.monotonic() - began, done, total) })
    }
    const to: NewBundle = { add: (name, data, form) => file.add(name, checked(data), form) }
    const exported = await this.parts.bundles.exportInstance({ instance, history, data: true }, to, {
      onProgress,
    })()
    if (E.isLeft(exported)) throw exported.left
    const made = exported.right
    const bytes = await file.complete()
    const written = await blobs.write(exportBlob(instance, running.id), checked(file.read()), bytes)()
    if (E.isLeft(written)) {
      await goOn()
      throw written.left
    }
    return {
      documents: made.documents,
      blobs: made.blobs,
      without_data: made.withoutData.length,
      bytes,
      filename: filenameOf(made.title, clock.now()),
      sha256: written.right.sha256,
    }
  }

  #run(document: Document): Promise<void> {
    const { clock, log, blobs } = this.ports
    const running = new RunningJob(
      document,
      storedExports.in(document),
      exports.name,
      this.parts.documents,
      clock,
    )
    const work = async () => {
      if (!(await this.#isPermitted(running.value)))
        throw new JobProblem(
          'the user who has begun it may not export any more, or the instance does not exist',
        )
      const file = await this.parts.createFile(new Date(clock.now()))
      try {
        return await this.#export(running, file)
      } finally {
        running.set({ step: null })
        await file.remove()
      }
    }
    return runJob(running, this.ports, work, async (isWritten) => {
      const { id } = running
      const { instance, state, problem, bytes } = running.value
      if (isWritten) log.write('info', 'export ended', { export: id, instance, state, problem, bytes })
      else await orThrow(blobs.remove(exportBlob(instance, id)))
    })
  }

  /** Deletes exports that were removed, or have ended a week ago, with their files. Returns their number. */
  expire(): Promise<number> {
    return this.queue.expire(this.ports.clock.now() - exportTime, async ({ id, value }) => {
      const { instance } = storedExports.in({ id, value })
      await orThrow(this.ports.blobs.remove(exportBlob(instance, id)))
    })
  }
}
