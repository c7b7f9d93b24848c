import { pipe, TE } from '@publishing-service/domain'
import type { Outcome } from './failure.js'
import type { Ports } from './ports.js'

/** Succeeds when every store that requests need can be reached; the failure names the part that can't. */
export const checkReadiness =
  ({ documents, blobs }: Pick<Ports, 'documents' | 'blobs'>) =>
  (): Outcome<void> =>
    pipe(
      documents.check(),
      TE.chain(() => blobs.check()),
    )
