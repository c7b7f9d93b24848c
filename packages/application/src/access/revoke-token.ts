import type { Problem } from '@publishing-service/domain'
import { documentsIn } from '../instance-store.js'
import { attempt, unwrap } from '../attempt.js'
import { systemInstance } from '../collections.js'
import { type Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { collectionOfToken, maxTokenLength } from './stored-token.js'

const missing: Problem<'InvalidTokenRequest'> = {
  _tag: 'InvalidTokenRequest',
  reason: 'the form lacks token',
}

/**
 * Ends an access token before its time (docs/behaviour/access.md#revoke-a-token). A token that is not stored has ended
 * already. `forget` receives the token once it is not stored any more.
 */
export const createRevokeToken =
  ({ documents, secrets }: Pick<Ports, 'documents' | 'secrets'>, forget: (token: string) => void) =>
  (token: string | undefined): Outcome<void, 'InvalidTokenRequest'> =>
  () =>
    attempt<void, 'InvalidTokenRequest'>(async (failWith) => {
      if (token === undefined) return failWith(missing)
      if (token.length > maxTokenLength) return
      const collection = collectionOfToken(token)
      const found = unwrap(await documents.get(collection, systemInstance, secrets.digest(token))())
      if (found !== null)
        await documentsIn(documents, systemInstance).remove(collection, found.id, found.version)
      forget(token)
    })
