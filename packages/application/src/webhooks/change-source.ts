/** The events of web hooks: the feed of changes, as far as the public sees them. */
import { resourceOf } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { operations } from '@publishing-service/domain/roles'
import type { FeedPlace } from '@publishing-service/domain/changes'
import { segmentsOf, type Links } from '@publishing-service/domain/engine'
import { eventOf } from '@publishing-service/domain/webhooks'
import { noKey, principalWith } from '../access/principals.js'
import { attempt, fail } from '../attempt.js'
import { feedPlace, readChanges, type ReadPage } from '../changes/read-changes.js'
import { noLinks } from '../no-links.js'
import type { Sessions } from '../open-session.js'
import type { ReadOperation } from '../operation.js'
import type { HookEvent, Webhook } from './stored-webhooks.js'

/** An event, and the place in the feed after it. */
type SourceEvent = { readonly event: HookEvent; readonly after: FeedPlace }

/** The events after a place, in their order; `next` is where to read on, and `isEnd` whether there is nothing there yet. */
type SourcePage = {
  readonly events: readonly SourceEvent[]
  readonly next: FeedPlace
  readonly isEnd: boolean
}

/** Reads the changes of the instance of a web hook. NotFound if the instance was deleted. */
export type ChangeSource = (hook: Pick<Webhook, 'instance' | 'root'>, from: FeedPlace) => Promise<SourcePage>

/** The links of events, below the address of an instance. */
const linksBelow = (root: string): Links => {
  const collection = (name: string): string => {
    const resource = resourceOf(name)
    return `${root}/${resource === undefined ? name : segmentsOf(resource)}`
  }
  return { ...noLinks, collection, object: (name, id) => `${collection(name)}/${id}` }
}

/** A page of events. The session reads everything: a withdrawal and a deletion are the same for who sees neither. */
const readEvents: ReadOperation<FeedPlace, SourcePage> = {
  ...operations.listChanges,
  run: async (session, from) => {
    const page = await attempt<ReadPage, 'CursorExpired'>((orEnd) => readChanges(session, from, orEnd))
    if (E.isLeft(page)) {
      if (page.left._tag !== 'CursorExpired') return fail(page.left)
      // Entries that the feed no longer has are lost; the others are delivered.
      return { events: [], next: await feedPlace(session, 'start'), isEnd: false }
    }
    const { changes, next } = page.right
    const events = changes.flatMap(({ item, effect, position }): readonly SourceEvent[] => {
      if (effect === null) return []
      const { type, uuid: object, url, path, previous_path, time } = item
      const event = { event: eventOf(item), type, object, url, path, previous_path, time, sequence: position }
      return [{ event, after: { ...next, from: position + 1 } }]
    })
    return { events, next, isEnd: changes.length === 0 }
  },
}

export const createChangeSource =
  (sessions: Pick<Sessions, 'open'>): ChangeSource =>
  async ({ instance, root }, from) => {
    const rights = { operator: false, roles: [{ instance, roles: ['reader'] as const }] }
    const { run } = await sessions.open(readEvents, {
      identity: E.right(principalWith({ id: null, user: 'web hooks', key: noKey }, rights)),
      instance,
      address: null,
      requestId: null,
      links: linksBelow(root),
      strict: false,
    })
    return run(from)
  }
