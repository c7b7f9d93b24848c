import { expect } from 'chai'
import { describe, it } from 'mocha'
import { endpoints } from './endpoints.js'

describe('the caching of responses', () => {
  it('is enabled for each GET of data, documents and pages, and disabled for writes, tokens, sign-in, health, history, drafts, trash, people, changes, web hooks, imports, exports and administration', () => {
    for (const { method, path, caching, deployment, permission } of endpoints)
      expect(['none', 'unstored'].includes(caching), `${method} ${path}`).to.equal(
        method !== 'GET' ||
          path.startsWith('/health/') ||
          path.startsWith('/sign-in') ||
          path === '/{iid}/audit' ||
          path === '/{iid}/trash' ||
          path === '/{iid}/missed_publications' ||
          path === '/{iid}/people' ||
          path === '/{iid}/changes' ||
          ['webhooks', 'imports', 'exports'].includes(permission?.subject ?? '') ||
          permission?.action === 'history' ||
          deployment !== undefined,
      )
  })
})
