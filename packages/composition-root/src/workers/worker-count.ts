/** How many workers the service has, and which of them a process is. It loads nothing of the service, for the primary does not. */
import { availableParallelism } from 'node:os'

/** The most workers of a service. */
export const mostWorkers = 256

/** The number of workers that WORKERS asks for; null if its value is not valid. */
export const workerCountOf = (text: string): number | null => {
  if (text === 'auto') return Math.min(mostWorkers, availableParallelism())
  return /^[1-9]\d{0,2}$/.test(text) && Number(text) <= mostWorkers ? Number(text) : null
}

/** The variable with which the primary tells a process that it is a worker, and which one. */
export const workerVariable = 'PUBLISHING_WORKER'

/** A worker: its number, from 1, which its replacement has too, and whether it starts first, and alone. */
export type WorkerName = { readonly number: number; readonly isFirst: boolean }

/** The value of that variable. */
export const workerNameText = ({ number, isFirst }: WorkerName): string =>
  `${number} ${isFirst ? 'first' : 'further'}`

/** The worker that the text names; null if it names none. */
export const workerNameOf = (text: string | undefined): WorkerName | null => {
  const [, number, order] = /^(\d+) (first|further)$/.exec(text ?? '') ?? []
  return number === undefined ? null : { number: Number(number), isFirst: order === 'first' }
}
