import { E } from '@publishing-service/domain'
import type { Aftermath } from '../objects/remove-object.js'
import type { Ports } from '../ports.js'

/** Removes the data of a deleted file and all that was made from it. What fails is left to garbage collection. */
export const removeFileData =
  ({ blobs, log }: Pick<Ports, 'blobs' | 'log'>): Aftermath =>
  ({ value: { blob: path } }) =>
  async () => {
    if (typeof path !== 'string') return E.right(undefined)
    const removed = await blobs.remove(path)()
    if (E.isLeft(removed)) log.write('warn', 'blobs not removed', { path, reason: removed.left.reason })
    return E.right(undefined)
  }
