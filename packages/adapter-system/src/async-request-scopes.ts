import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestScope, RequestScopes } from '@publishing-service/ports'

/** Scopes that follow what a task awaits. On Node 20, they make each promise dearer. */
export const asyncRequestScopes = (): RequestScopes => {
  const storage = new AsyncLocalStorage<RequestScope>()
  return {
    run: (scope, task) => storage.run(scope, task),
    current: () => storage.getStore() ?? null,
  }
}
