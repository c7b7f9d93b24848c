import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import type { Role } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { LeaveDialog } from './layout/leave-dialog.js'
import { Shell } from './layout/shell.js'
import { SignInAgain, SignInPage } from './layout/sign-in.js'
import { NoInstances } from './layout/messages.js'
import { Pages } from './pages.js'
import { createImageCache } from './library/image-cache.js'
import { createApi } from './service/api.js'
import { CurrentInstance } from './service/instance-context.js'
import { createSession } from './service/session.js'
import { useHashPath, useHashSearch } from './service/unsaved.js'

/** The page is at `/dashboard/` below the service, which may itself be below a path prefix. */
const session = createSession(new URL('..', document.baseURI).href.replace(/\/$/, ''))

const strongest = (held: readonly Role[]): Role | undefined =>
  model.roles.findLast((role) => held.includes(role))

const InstancePages = ({ iid, role }: { readonly iid: number; readonly role: Role }) => {
  const client = session.client()
  const instance = useMemo(
    () => ({
      iid,
      role,
      api: createApi(client, `/${iid}`),
      service: createApi(client, ''),
      images: createImageCache(client),
    }),
    [iid, role, client],
  )
  return (
    <CurrentInstance value={instance}>
      <Pages />
    </CurrentInstance>
  )
}

export const App = () => {
  const state = useSyncExternalStore(session.subscribe, session.state)
  const queries = useQueryClient()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  const isSignedOut = state.phase === 'signed-out'
  useEffect(() => {
    if (!isSignedOut) setWasSignedIn(true)
    else if (wasSignedIn) queries.clear()
  }, [isSignedOut, wasSignedIn, queries])
  if (state.phase === 'signed-out') return <SignInPage signIn={session.signIn} />
  const instances = state.token.items
    .map(({ id, roles }) => ({ id, role: strongest(roles) }))
    .filter((each): each is { id: number; role: Role } => each.role !== undefined)
  const [first] = instances
  return (
    <Router hook={useHashPath} searchHook={useHashSearch}>
      {first === undefined ? (
        <NoInstances signOut={session.signOut} />
      ) : (
        <Switch>
          <Route path="/:iid/*?">
            {({ iid }) => {
              const current = instances.find(({ id }) => String(id) === iid)
              if (current === undefined) return <Redirect to={`/${first.id}`} />
              return (
                <Shell instances={instances} current={current} userKey={state.key} signOut={session.signOut}>
                  <InstancePages key={current.id} iid={current.id} role={current.role} />
                </Shell>
              )
            }}
          </Route>
          <Route>
            <Redirect to={`/${first.id}`} />
          </Route>
        </Switch>
      )}
      <LeaveDialog />
      {state.phase === 'expired' && (
        <SignInAgain userKey={state.key} signIn={session.signIn} signOut={session.signOut} />
      )}
    </Router>
  )
}
