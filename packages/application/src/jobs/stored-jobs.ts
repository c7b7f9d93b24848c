/** Jobs as they are stored, among the documents of the service itself, and what is done to every kind of them. */
import { notFound, viewOf } from '@publishing-service/domain'
import type { Shape } from '@publishing-service/domain/declare'
import { isOpenJob, openJobsProblem, type JobState } from '@publishing-service/domain/jobs'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Listing, Parameters, Queryable } from '@publishing-service/domain/lists'
import type { Document } from '@publishing-service/ports'
import { deploymentView, listRows } from '../administration/list-rows.js'
import type { RowsQuery } from '../administration/rows-query.js'
import { fail, throwIf } from '../attempt.js'
import { decodeStored, type StoredCodec } from '../decode-stored.js'
import { requirePrecondition } from '../engine/precondition.js'
import { targetIn } from '../engine/update-document.js'
import type { Session } from '../session.js'

type Job = JsonObject & {
  readonly state: JobState
  readonly instance: number
  readonly removed: boolean
}

type Kind<J> = {
  /** The codec of the documents, which has the name of their collection. */
  readonly codec: StoredCodec<J>
  readonly shape: Shape
  readonly rows: Queryable
  /** What they are called in messages, such as `imports`. */
  readonly what: string
  /** How many of an instance wait or run at most. */
  readonly most: number
  /** What one that is canceled has in addition. */
  readonly canceled: JsonObject
}

/** Rows of a collection of the service itself, for an instance. */
export const listSystemRows = (
  { clock, links, strict, system: { documents } }: Session,
  request: RowsQuery,
): Promise<Listing> => listRows({ clock, links, strict, systemDocuments: documents }, request)

/** The jobs of one kind. */
export class StoredJobs<J extends Job> {
  constructor(private readonly kind: Kind<J>) {}

  /** The job of a document. */
  in(document: Pick<Document, 'id' | 'value'>): J {
    return decodeStored(this.kind.codec, document)
  }

  /** The job of a value; NotFound if an instance has none with this id. */
  #of(instance: number, id: string, value: JsonObject | null): J {
    const found = value === null ? null : this.in({ id, value })
    if (found === null || found.instance !== instance || found.removed) fail(notFound)
    return found
  }

  async find({ system, instance }: Session, id: string): Promise<J> {
    const found = await system.documents.get(this.kind.codec.name, id)
    return this.#of(instance.number, id, found?.value ?? null)
  }

  #shown(session: Session, id: string, job: J): JsonObject {
    return viewOf(this.kind.shape, job, deploymentView(session, id))
  }

  async read(session: Session, id: string): Promise<JsonObject> {
    return this.#shown(session, id, await this.find(session, id))
  }

  /** The jobs of an instance that were not removed, the newest first. */
  list(session: Session, parameters: Parameters): Promise<Listing> {
    return listSystemRows(session, {
      collection: this.kind.codec.name,
      rows: this.kind.rows,
      parameters,
      where: [
        { key: 'instance', equals: session.instance.number },
        { key: 'removed', equals: false },
      ],
      initialOrder: [{ key: 'created', direction: 'desc' }],
    })
  }

  /** The number of jobs of the instance that wait or run, up to the most that there can be. */
  async #open({ system, instance }: Session): Promise<number> {
    const { codec, most } = this.kind
    let open = 0
    for (const state of ['waiting', 'running']) {
      const where = [
        { key: 'instance', equals: instance.number },
        { key: 'state', equals: state },
      ]
      open += await system.documents.count(codec.name, { where }, most)
    }
    return open
  }

  /** Adds a job, and returns its id. BadParameters if too many wait or run. */
  async add(session: Session, job: J): Promise<string> {
    requirePrecondition(session.precondition, null)
    const { codec, what, most } = this.kind
    const id = session.ids.uuid()
    await session.exclusively(codec.name, async () => {
      throwIf(openJobsProblem(what, await this.#open(session), most))
      await session.system.write(targetIn(codec.name), id, async () => job, session.documents.recorded)
    })
    return id
  }

  /** Cancels a job that waits or runs; removes one that has ended. */
  async remove(session: Session, id: string): Promise<void> {
    await session.system.write(
      targetIn(this.kind.codec.name),
      id,
      async (value) => {
        const before = this.#of(session.instance.number, id, value)
        requirePrecondition(session.precondition, this.#shown(session, id, before))
        return isOpenJob(before)
          ? {
              ...before,
              ...this.kind.canceled,
              state: 'canceled',
              ended: session.clock.now(),
              seconds_left: null,
            }
          : { ...before, removed: true }
      },
      session.documents.recorded,
    )
  }
}
