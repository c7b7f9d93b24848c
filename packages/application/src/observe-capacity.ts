import { E, type TaskEither } from '@publishing-service/domain'
import type { Ports } from './ports.js'

type Failed = {
  readonly _tag: string
  readonly storageFull?: true
  readonly part?: string
  readonly reason?: string
}

/** Stores that log when one of them has no space left for writes, and when it has space again. */
export const observeCapacity = ({ documents, blobs, log }: Ports): Pick<Ports, 'documents' | 'blobs'> => {
  const observer = () => {
    let part: string | null = null
    return <F extends Failed, A>(write: TaskEither<F, A>): TaskEither<F, A> =>
      async () => {
        const outcome = await write()
        if (E.isRight(outcome)) {
          if (part !== null) log.write('info', 'storage has space again', { part })
          part = null
        } else if (outcome.left.storageFull === true && part === null) {
          part = outcome.left.part ?? ''
          log.write('error', 'storage full', { part, reason: outcome.left.reason })
        }
        return outcome
      }
  }
  const [ofDocuments, ofBlobs] = [observer(), observer()]
  return {
    documents: {
      ...documents,
      insert: (...call) =>
        call[2].urgent ? documents.insert(...call) : ofDocuments(documents.insert(...call)),
      replace: (...call) =>
        call[2].urgent ? documents.replace(...call) : ofDocuments(documents.replace(...call)),
      check: () => ofDocuments(documents.check()),
    },
    blobs: {
      ...blobs,
      write: (...call) => ofBlobs(blobs.write(...call)),
      check: () => ofBlobs(blobs.check()),
    },
  }
}
