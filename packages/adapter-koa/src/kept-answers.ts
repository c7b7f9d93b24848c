import type { Context } from 'koa'
import { E, media, resourceOf, targetsOf } from '@publishing-service/domain'
import { roleOn, settingsCounter, type Counter, type UseCases } from '@publishing-service/application'
import { acceptsJson, asksForFresh, type Endpoint } from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'
import { instanceOf, principalIn } from './identify.js'
import { basisOf, createResponseCache, type Basis, type KeptAnswer } from './response-cache.js'

/** Where an answer may be kept: under what, and on what basis once it is known what it is read from. */
export type Place = { readonly key: string; readonly instance: number; readonly until: number }

/** Other processes on the same stores may write; theirs is seen within the max-age of §14, in milliseconds. */
const freshness = 60_000

/**
 * What turns with the clock, when an issue date or a window comes, is looked at again after this many milliseconds:
 * all that public_user sees, and what endpoints say of themselves.
 */
const clockFreshness = 1000

const collectionsOf = ({ permission, reads = [] }: Endpoint): readonly string[] => {
  const resource = permission === null ? undefined : resourceOf(permission.subject)
  return resource === undefined
    ? []
    : [...new Set([resource.collection, ...targetsOf(resource), ...targetsOf(media), ...reads])]
}

/** Answers GET requests from memory, as long as nothing they were made from has changed. */
export const createKeptAnswers = (useCases: UseCases, clock: Clock, limitBytes: number) => {
  const cache = createResponseCache(limitBytes)
  const { generations } = useCases
  const settings = settingsCounter(generations)
  const sources = new WeakMap<Endpoint, readonly string[]>()

  const sourcesOf = (endpoint: Endpoint): readonly string[] => {
    let names = sources.get(endpoint)
    if (names === undefined) sources.set(endpoint, (names = collectionsOf(endpoint)))
    return names
  }

  return {
    /** The place of this request's answer; null where it may not come from memory. */
    place: (context: Context, base: string): Place | null => {
      const { headers, method } = context.req
      if (limitBytes === 0 || (method !== 'GET' && method !== 'HEAD')) return null
      if (
        asksForFresh(headers['cache-control']) ||
        headers['prefer'] !== undefined ||
        headers.range !== undefined ||
        !acceptsJson(headers.accept)
      )
        return null
      const instance = instanceOf(context)
      const principal = principalIn(context)
      if (instance === null || principal === null || E.isLeft(principal)) return null
      const role = roleOn(principal.right, instance)
      if (role === null) return null
      context.state['user'] = principal.right.user
      const until = clock.monotonic() + (role === 'public_user' ? clockFreshness : freshness)
      return { key: `${role} ${base} ${context.url}`, instance, until }
    },
    mostData: cache.mostData,
    find: ({ key }: Place): KeptAnswer | null =>
      cache.find(key, { elapsed: clock.monotonic(), wall: clock.now() }),
    /** Taken before anything is read, so that a write under way ends what is read meanwhile. */
    basis: (endpoint: Endpoint, { instance, until }: Place): Basis => {
      const counters: readonly Counter[] = [
        settings,
        ...sourcesOf(endpoint).map((name) => generations.of(instance, name)),
      ]
      const soonest = endpoint.timed ? Math.min(until, clock.monotonic() + clockFreshness) : until
      return basisOf(counters, soonest, clock.now())
    },
    keep: ({ key }: Place, answer: KeptAnswer, basis: Basis): void => cache.keep(key, answer, basis),
  }
}
