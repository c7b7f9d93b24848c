import { E, type Problem } from '@publishing-service/domain'
import { systemCollections, systemInstance } from '../collections.js'
import type { Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { maxTokenLength } from './stored-token.js'

const { tokens } = systemCollections
const missing: Problem = { _tag: 'InvalidTokenRequest', reason: 'the form lacks token' }

/**
 * Ends an access token before its time (docs/behaviour/access.md#revoke-a-token). A token that is not stored has ended
 * already. `forget` receives the token once it is not stored any more.
 */
export const createRevokeToken =
  ({ documents, secrets }: Pick<Ports, 'documents' | 'secrets'>, forget: (token: string) => void) =>
  (token: string | undefined): Outcome<void> =>
  async () => {
    if (token === undefined) return E.left(missing)
    if (token.length > maxTokenLength) return E.right(undefined)
    const found = await documents.get(tokens.name, systemInstance, secrets.digest(token))()
    if (E.isLeft(found)) return found
    if (found.right !== null) {
      const { id, version } = found.right
      const removed = await documents.remove(tokens.name, systemInstance, id, version)()
      // Another process may have removed it first.
      if (E.isLeft(removed) && removed.left._tag === 'PortFailure') return E.left(removed.left)
    }
    forget(token)
    return E.right(undefined)
  }
