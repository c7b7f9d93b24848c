/** Tells workers what another one has written, and that one when all know it. */
import type { WorkerHandle } from './fork-worker.js'
import type { Written } from './worker-messages.js'

/** A write that not all others have counted yet. */
type Told = { readonly by: WorkerHandle; readonly id: number; readonly left: Set<WorkerHandle> }

export class WriteRelay {
  #last = 0
  readonly #told = new Map<number, Told>()

  wrote(by: WorkerHandle, id: number, written: Written, others: Iterable<WorkerHandle>): void {
    this.#last += 1
    const left = new Set([...others].filter((each) => each !== by && each.hears))
    this.#told.set(this.#last, { by, id, left })
    for (const other of left) other.send({ kind: 'others wrote', id: this.#last, written })
    this.#endIfAllKnow(this.#last)
  }

  counted(worker: WorkerHandle, id: number): void {
    this.#told.get(id)?.left.delete(worker)
    this.#endIfAllKnow(id)
  }

  /** Nobody waits for a worker that has ended. */
  ended(worker: WorkerHandle): void {
    for (const id of this.#told.keys()) this.counted(worker, id)
  }

  #endIfAllKnow(number: number): void {
    const told = this.#told.get(number)
    if (told === undefined || told.left.size > 0) return
    this.#told.delete(number)
    told.by.send({ kind: 'told', id: told.id })
  }
}
