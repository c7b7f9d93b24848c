import { E, file, pipe, TE } from '@publishing-service/domain'
import type { Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { Precondition } from '../objects/precondition.js'
import type { createRemoveObject } from '../objects/remove-object.js'
import type { Ports } from '../ports.js'
import { fileBlobs } from './blob-paths.js'

/** Deletes a file: the metadata first, then its data and all that was made from it. */
export const createRemoveFile =
  ({ blobs, log }: Pick<Ports, 'blobs' | 'log'>, removeObject: ReturnType<typeof createRemoveObject>) =>
  (caller: Caller, id: string, precondition?: Precondition): Outcome<void> =>
    pipe(
      removeObject(file, caller, id, precondition),
      TE.chain(() => async () => {
        const path = fileBlobs(caller.instance.number, id)
        const removed = await blobs.remove(path)()
        // The file is gone either way; what is left over is collected at the next start.
        if (E.isLeft(removed)) log.write('warn', 'blobs left over', { path, reason: removed.left.reason })
        return E.right(undefined)
      }),
    )
