/** What ends by itself in a simulated day: sessions, links, presence, and the time for which a client has to wait. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectOk, itemsOf, objectsOf, uuidOf } from '../harness/expect-response.js'
import { cookieOf, inSession, password } from '../harness/people.js'
import { day, hour, iso, minute, publicRate, second, timeOf, type DayPlace } from './day-place.js'
import type { TimeSpan } from './fast-service.js'

export type Lifetimes = {
  /** Begins two sessions: one is used before it would end, the other after that. */
  readonly leaveSessions: () => Promise<void>
  /** Uses the session that is always used. */
  readonly useSession: () => Promise<void>
  readonly heartbeat: () => Promise<void>
  readonly useRate: () => Promise<void>
  readonly isWaiting: () => boolean
  /** Whether what has the longest lifetimes is valid: the session that was used, and an invitation. */
  readonly longest: () => Promise<readonly boolean[]>
}

const tokenIn = (text: string): string => /#\/link\/([\w-]+)/.exec(text)?.[1] ?? ''

export const createLifetimes = async (place: DayPlace): Promise<Lifetimes> => {
  const { from, folder } = place.options
  const { operator } = place.clients
  const visitor = () => place.at('')

  const newLink = async (more: { readonly email: string; readonly operator: boolean }): Promise<string> => {
    const uuid = uuidOf(await operator.post('/users', { name: 'Ada', ...more }))
    return tokenIn(String(expectOk(await operator.post(`/users/${uuid}/link`, null)).object['url']))
  }
  const email = `${randomUUID()}@example.org`
  const used = { token: await newLink({ email, operator: true }), password }
  const cookie = cookieOf(expectOk(await visitor().post('/sign-in/link/use', used)), 'session')
  const isSession = async (of: string): Promise<boolean> =>
    (await visitor().get('/me', inSession(of))).status === 200
  const isLink = async (token: string): Promise<boolean> =>
    (await visitor().post('/sign-in/link', { token })).status === 200

  const invitation = await newLink({ email: `${randomUUID()}@example.org`, operator: false })
  const setUp = tokenIn(await readFile(join(folder.path, 'set-up-link.txt'), 'utf8'))
  place.watches.add({
    what: 'the set-up link',
    from: 0,
    until: from + day,
    // It was made while the service started.
    delay: place.late,
    look: () => isLink(setUp),
  })

  const [presence] = place.newPath('content')
  await place.putArticle(presence)
  let left: TimeSpan | null = null
  let waitsUntil: number | null = null
  const readOpenly = () => place.ofInstance().get('/settings')

  return {
    leaveSessions: async () => {
      for (const [what, first] of [
        ['used in time', (end: TimeSpan) => end.earliest - hour],
        ['left', (end: TimeSpan) => end.latest + minute],
      ] as const) {
        const signedIn = await place.timed(() => visitor().post('/sign-in/password', { email, password }))
        const [response, { earliest, latest }] = signedIn
        const own = cookieOf(expectOk(response), 'session')
        const end = { earliest: earliest + 12 * hour, latest: latest + 12 * hour }
        place.count('sessions begun')
        place.watches.add({
          what: `the session of ${iso(earliest)} that was ${what}`,
          from: 0,
          until: end.earliest,
          delay: latest - earliest + second,
          first: first(end),
          // A look is a use.
          once: true,
          look: async () => {
            place.count(`sessions ${what}`)
            return isSession(own)
          },
        })
      }
    },
    useSession: async () => {
      const isValid = await isSession(cookie)
      place.expect(isValid, () => `the session that is used ended before ${iso(place.now().latest)}`)
    },
    heartbeat: async () => {
      const { admin } = place.clients
      if (left !== null && place.now().earliest > left.latest + 31 * second) {
        const [response, { latest }] = await place.timed(() => admin.get(`${presence}/presence`))
        const isEmpty = itemsOf(response).length === 0
        place.expect(
          isEmpty,
          () => `somebody is present without a heartbeat for 30 seconds at ${iso(latest)}`,
        )
        place.count('presences ended')
      }
      const requested = performance.now()
      const [response, known] = await place.timed(() => admin.send('PUT', `${presence}/presence`))
      // A response that takes half a minute of the service shows nobody.
      const [own] = objectsOf(response)
      if (own !== undefined) place.service.told(timeOf(own['seen']), requested, performance.now())
      left = known
    },
    useRate: async () => {
      const { earliest } = place.now()
      if (waitsUntil !== null) {
        if (earliest < waitsUntil) return
        const { status } = await readOpenly()
        place.expect(
          status === 200,
          () => `after the time to wait a request gets ${status}, ${iso(earliest)}`,
        )
        place.count('rates renewed')
        waitsUntil = null
        return
      }
      const responses = await Promise.all(Array.from({ length: publicRate + 3 }, readOpenly))
      const refused = responses.filter(({ status }) => status === 429)
      if (refused.length === 0) return
      const seconds = Math.max(...refused.map(({ headers }) => Number(headers['retry-after'])))
      place.count('requests refused by rates', refused.length)
      waitsUntil = place.now().latest + seconds * second + second
    },
    isWaiting: () => waitsUntil !== null,
    longest: () => Promise.all([isSession(cookie), isLink(invitation)]),
  }
}
