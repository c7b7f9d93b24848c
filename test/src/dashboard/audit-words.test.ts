/** The audit log of the dashboard has words for every operation that it can show. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { wordsIn } from '@publishing-service/dashboard'
import { endpoints } from '@publishing-service/http-contract'

/**
 * A sign-in changes nothing, and is recorded too, and so is what the service does by the clock, and after the crash of a removal,
 * and what the command line does.
 */
const recorded = new Set([
  'exchangeToken',
  'followRemoval',
  'reachTime',
  'rewindObject',
  'signIn',
  'useLink',
  ...endpoints.flatMap(({ kind, operation, permission, ...endpoint }) => {
    const action =
      kind === 'deployment' && 'deployment' in endpoint ? endpoint.deployment?.action : permission?.action
    // A heartbeat is no change.
    const isRecorded = action !== 'read' && action !== 'history' && !operation.endsWith('Presence')
    return action === undefined || !isRecorded ? [] : [operation]
  }),
])

describe('the words of the audit log', () => {
  it('are those of all operations that it records', async () => {
    expect(Object.keys((await wordsIn('en')).operations).toSorted()).to.deep.equal([...recorded].toSorted())
  })
})
