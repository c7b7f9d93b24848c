import { useQuery, useQueryClient, type Query } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { LeaveDialog } from './layout/leave-dialog.js'
import { Loaded, Loading } from './layout/messages.js'
import { Shell } from './layout/shell.js'
import { Pages, ServicePages } from './pages.js'
import { useAccount } from './service/account.js'
import { createApi } from './service/api.js'
import { CurrentPlace, strongestRole, type Instance, type Me, type Place } from './service/place.js'
import { NotSignedIn, session } from './service/session.js'
import { hashHref, useHashPath, useHashSearch } from './service/unsaved.js'
import { SignInAgain } from './sign-in/sign-in-again.js'
import { SignInPage } from './sign-in/sign-in-page.js'
import { isLanguage } from '../texts/languages.js'
import { useSetLanguage } from './texts/texts.js'

/** Few open these. */
const LinkPage = lazy(async () => ({ default: (await import('./sign-in/link-page.js')).LinkPage }))
const AccountPage = lazy(async () => ({ default: (await import('./account/account-page.js')).AccountPage }))

type FramedProps = {
  readonly me: Me
  readonly instance: Omit<Instance, 'api' | 'background'> | null
  readonly page: 'account' | 'pages'
}

/** The pages of one instance, or of the service. */
const Framed = ({ me, instance, page }: FramedProps) => {
  const { iid, title, timezone, role } = instance ?? {}
  const place = useMemo(
    (): Place => ({
      me,
      api: createApi(session.client, ''),
      ...(iid === undefined || title === undefined || timezone === undefined || role === undefined
        ? { instance: null, base: '/service' }
        : {
            instance: {
              iid,
              title,
              timezone,
              role,
              api: createApi(session.client, `/${iid}`),
              background: createApi(session.background, `/${iid}`),
            },
            base: `/${iid}`,
          }),
    }),
    [me, iid, title, timezone, role],
  )
  const pages = iid === undefined ? <ServicePages /> : <Pages key={iid} />
  return (
    <CurrentPlace value={place}>
      <Shell>
        {page === 'account' ? (
          <Suspense fallback={<Loading />}>
            <AccountPage />
          </Suspense>
        ) : (
          pages
        )}
      </Shell>
    </CurrentPlace>
  )
}

const SignedIn = ({ me }: { readonly me: Me }) => {
  const instances = me.items.flatMap(({ id, title, timezone, roles }) => {
    const role = strongestRole(roles)
    return role === undefined ? [] : [{ iid: id, title, timezone, role }]
  })
  const [first] = instances
  const start = first === undefined ? '/service/users' : `/${first.iid}`
  // Without rights there is the own account, in which a second factor is set up.
  if (first === undefined && !me.operator) return <Framed me={me} instance={null} page="account" />
  return (
    <Switch>
      {me.operator && (
        <Route path="/service/*">
          <Framed me={me} instance={null} page="pages" />
        </Route>
      )}
      <Route path="/account">
        <Framed me={me} instance={first ?? null} page="account" />
      </Route>
      <Route path="/confirm/:token">
        <Framed me={me} instance={first ?? null} page="account" />
      </Route>
      <Route path="/:iid/*?">
        {({ iid }) => {
          const instance = instances.find((each) => String(each.iid) === iid)
          return instance === undefined ? (
            <Redirect to={start} />
          ) : (
            <Framed me={me} instance={instance} page="pages" />
          )
        }}
      </Route>
      <Route>
        <Redirect to={start} />
      </Route>
    </Switch>
  )
}

/** The pages of the person whose session the browser has. */
const Opened = () => {
  const state = session.use()
  const queries = useQueryClient()
  const setLanguage = useSetLanguage()
  const query = useQuery({
    queryKey: ['me'],
    queryFn: session.readMe,
    // The rights come seconds after the second factor.
    refetchInterval: ({ state: { data } }) => (data?.needs_second_factor === true ? 3000 : false),
  })
  const account = useAccount(query.data !== undefined)
  const language = account?.language ?? null
  useEffect(() => {
    if (isLanguage(language)) setLanguage(language)
  }, [language, setLanguage])
  const isWaiting = state.phase === 'waiting'
  const [wasWaiting, setWasWaiting] = useState(false)
  useEffect(() => {
    // Roles may have changed until the person has signed in again.
    const isRead = ({ queryKey: [first], state: { error } }: Query) =>
      first === 'me' || error instanceof NotSignedIn
    if (wasWaiting && !isWaiting) void queries.invalidateQueries({ predicate: isRead })
    setWasWaiting(isWaiting)
  }, [isWaiting, wasWaiting, queries])
  return (
    <>
      <Loaded query={query}>{(me) => <SignedIn me={me} />}</Loaded>
      <LeaveDialog />
      {state.phase === 'waiting' && (
        <SignInAgain
          key={state.reason}
          reason={state.reason}
          person={query.data?.name ?? ''}
          email={account?.email ?? ''}
        />
      )}
    </>
  )
}

export const App = () => {
  const state = session.use()
  const queries = useQueryClient()
  const isSignedOut = state.phase === 'signed-out'
  useEffect(() => {
    // The page of the sign-in has read its ways already.
    if (isSignedOut) queries.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'sign-in' })
  }, [isSignedOut, queries])
  return (
    <Router hook={useHashPath} searchHook={useHashSearch} hrefs={hashHref}>
      <Switch>
        <Route path="/link/:token">
          {({ token }) => (
            <Suspense fallback={<Loading />}>
              <LinkPage key={token} token={token} />
            </Suspense>
          )}
        </Route>
        <Route>{isSignedOut ? <SignInPage {...state} /> : <Opened />}</Route>
      </Switch>
    </Router>
  )
}
