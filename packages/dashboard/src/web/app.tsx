import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { dataOf } from '@publishing-service/client'
import { Redirect, Route, Router, Switch } from 'wouter'
import { LeaveDialog } from './layout/leave-dialog.js'
import { Loaded, NoInstances } from './layout/messages.js'
import { Shell } from './layout/shell.js'
import { SignInAgain, SignInPage } from './layout/sign-in.js'
import { Pages, ServicePages } from './pages.js'
import { createApi } from './service/api.js'
import { CurrentPlace, strongestRole, type Instance, type Me, type Place } from './service/place.js'
import { createSession } from './service/session.js'
import { hashHref, useHashPath, useHashSearch } from './service/unsaved.js'

/** The page is at `/dashboard/` below the service, which may itself be below a path prefix. */
const session = createSession(new URL('..', document.baseURI).href.replace(/\/$/, ''))

type FramedProps = { readonly me: Me; readonly instance: Omit<Instance, 'api'> | null }

/** The pages of one instance, or of the service. */
const Framed = ({ me, instance }: FramedProps) => {
  const { iid, title, role } = instance ?? {}
  const client = session.client()
  const place = useMemo(
    (): Place => ({
      me,
      api: createApi(client, ''),
      ...(iid === undefined || title === undefined || role === undefined
        ? { instance: null, base: '/service' }
        : { instance: { iid, title, role, api: createApi(client, `/${iid}`) }, base: `/${iid}` }),
    }),
    [me, client, iid, title, role],
  )
  return (
    <CurrentPlace value={place}>
      <Shell signOut={session.signOut}>{iid === undefined ? <ServicePages /> : <Pages key={iid} />}</Shell>
    </CurrentPlace>
  )
}

const SignedIn = ({ me }: { readonly me: Me }) => {
  const instances = me.items.flatMap(({ id, title, roles }) => {
    const role = strongestRole(roles)
    return role === undefined ? [] : [{ iid: id, title, role }]
  })
  const [first] = instances
  const start = first === undefined ? '/service/users' : `/${first.iid}`
  if (first === undefined && !me.operator) return <NoInstances signOut={session.signOut} />
  return (
    <Switch>
      {me.operator && (
        <Route path="/service/*">
          <Framed me={me} instance={null} />
        </Route>
      )}
      <Route path="/:iid/*?">
        {({ iid }) => {
          const instance = instances.find((each) => String(each.iid) === iid)
          return instance === undefined ? <Redirect to={start} /> : <Framed me={me} instance={instance} />
        }}
      </Route>
      <Route>
        <Redirect to={start} />
      </Route>
    </Switch>
  )
}

const LoadedUser = () => {
  const client = session.client()
  const query = useQuery({
    queryKey: ['me'],
    queryFn: async () => dataOf(await client.GET('/me', { cache: 'no-cache' })),
  })
  return <Loaded query={query}>{(me) => <SignedIn me={me} />}</Loaded>
}

export const App = () => {
  const state = session.use()
  const queries = useQueryClient()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  const isSignedOut = state.phase === 'signed-out'
  useEffect(() => {
    if (!isSignedOut) setWasSignedIn(true)
    else if (wasSignedIn) queries.clear()
  }, [isSignedOut, wasSignedIn, queries])
  const me = queries.getQueryData<Me>(['me'])
  if (state.phase === 'signed-out') return <SignInPage signIn={session.signIn} />
  return (
    <Router hook={useHashPath} searchHook={useHashSearch} hrefs={hashHref}>
      <LoadedUser />
      <LeaveDialog />
      {state.phase === 'expired' && (
        <SignInAgain
          userKey={state.key}
          userName={me?.name ?? ''}
          signIn={async (values) => {
            await session.signIn(values, me?.uuid)
            // Another key may have been given after a change of roles.
            await queries.invalidateQueries({ queryKey: ['me'] })
          }}
          signOut={session.signOut}
        />
      )}
    </Router>
  )
}
