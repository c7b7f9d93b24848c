/** What a simulated day has scheduled: articles that go live, listings that begin and end, drafts that are published, previews. */
import { expectOk, itemsOf, objectsOf } from '../harness/expect-response.js'
import { iso, minute, second, timeOf, type DayPlace } from './day-place.js'

export type Schedules = {
  /** Plans one of each. */
  readonly plan: () => Promise<void>
  readonly preview: () => Promise<void>
  /**
   * Looks at the versions of a draft that was published a while ago, of which one has published it, at its time or after it. Then
   * deletes the object.
   */
  readonly settleDraft: () => Promise<void>
  readonly openDrafts: () => number
  /** Whether the feed has each thing once. */
  readonly checkFeed: () => void
}

export const createSchedules = (place: DayPlace): Schedules => {
  const articles = new Set<string>()
  const listings = new Set<string>()
  const drafts = new Map<string, number>()
  const { watches, titles } = place

  const planArticle = async (): Promise<void> => {
    const [path, id] = place.newPath('content')
    const due = place.soon(4 * minute, 15 * minute)
    await place.putArticle(path, { issued: iso(due) })
    articles.add(id)
    const { visitor } = place.clients
    const reads = {
      // From the response cache, if it has it.
      alone: async () => (await visitor.get(path)).status === 200,
      fresh: async () => (await visitor.get(path, { 'Cache-Control': 'no-cache' })).status === 200,
      listed: async () => itemsOf(await visitor.get(`/content?fields=uuid&uuid=${id}`)).length > 0,
    }
    for (const [how, look] of Object.entries(reads))
      watches.add({
        what: `article ${id} of ${iso(due)}, ${how}`,
        from: due,
        until: Infinity,
        delay: second,
        look,
      })
  }

  const planListing = async (): Promise<void> => {
    const [path, id] = place.newPath('locations')
    const begin = place.soon(3 * minute, 8 * minute)
    const end = begin + 5 * minute
    const window = { is_listing: true, listing_start: iso(begin), listing_expires: iso(end) }
    await place.put(path, { title: 'A listing', urlname: id, ...window })
    listings.add(id)
    watches.add({
      what: `listing ${id} from ${iso(begin)} to ${iso(end)}`,
      from: begin,
      until: end,
      delay: second,
      look: async () => expectOk(await place.clients.visitor.get(path)).object['listing_active'] === true,
    })
  }

  const planDraft = async (): Promise<void> => {
    const [path, id] = place.newPath('content')
    await place.putArticle(path)
    const due = place.soon(3 * minute, 12 * minute)
    const draft = { title: 'Two', publish_at: iso(due) }
    expectOk(await place.clients.admin.patch(`${path}/draft`, draft))
    titles.delete(path)
    drafts.set(id, due)
    watches.add({
      what: `the draft of ${id} of ${iso(due)}`,
      from: due,
      until: Infinity,
      delay: place.late,
      untilSeen: true,
      look: async () => {
        const { object } = expectOk(await place.clients.visitor.get(path))
        if (object['title'] !== 'Two') return false
        titles.set(path, 'Two')
        return true
      },
    })
  }

  const settle = async (id: string, due: number): Promise<void> => {
    const { admin } = place.clients
    const path = `/content/${id}`
    const versions = objectsOf(await admin.get(`${path}/versions`))
    const published = versions.filter(({ operation }) => operation === 'publishDraft')
    place.expect(published.length === 1, () => `the draft of ${id} was published ${published.length} times`)
    const time = timeOf(published[0]?.['time'])
    place.expect(time >= due, () => `the draft of ${id} of ${iso(due)} was published at ${time}`)
    const latest = 'latest publication of a draft, seconds'
    place.counts[latest] = Math.max(place.counts[latest] ?? 0, Math.round((time - due) / second))
    const [{ status }, known] = await place.timed(() => admin.delete(path))
    // Of a repeated request the second finds nothing.
    place.expect(status === 200 || status === 404, () => `${path} was not deleted: ${status}`)
    titles.delete(path)
    place.deleted.set(id, known)
    drafts.delete(id)
    place.count('drafts published')
    place.count('objects deleted')
  }

  return {
    plan: async () => {
      await planArticle()
      await planListing()
      await planDraft()
    },
    preview: async () => {
      const [path] = place.newPath('content')
      await place.putArticle(path, { state: 'draft' })
      const made = expectOk(await place.clients.admin.post(`${path}/preview`, { expires_in: 3600 })).object
      const { token, expires } = made
      place.count('previews made')
      watches.add({
        what: `a preview until ${String(expires)}`,
        from: 0,
        until: timeOf(expires),
        delay: second,
        look: async () => {
          const isShown = (await place.ofInstance(String(token)).get(path)).status === 200
          if (!isShown) place.count('looks at expired previews')
          return isShown
        },
      })
    },
    settleDraft: async () => {
      const { earliest } = place.now()
      const found = [...drafts].find(
        ([id, due]) => titles.has(`/content/${id}`) && earliest > due + 10 * minute,
      )
      if (found !== undefined) await settle(...found)
    },
    openDrafts: () => drafts.size,
    checkFeed: () => {
      const told = (id: string): string => place.feed.get(id)?.join() ?? 'nothing'
      for (const id of articles)
        place.expect(told(id) === 'appeared', () => `article ${id}: the feed has ${told(id)}`)
      for (const id of listings)
        place.expect(told(id) === 'appeared,updated,updated', () => `listing ${id}: the feed has ${told(id)}`)
      place.counts['articles gone live'] = articles.size
      place.counts['listings begun and ended'] = listings.size
    },
  }
}
