/** Reads what the pages show, over the API. */
import { dataOf, ServiceError, type Client, type components, type Row } from '@publishing-service/client'

type Schemas = components['schemas']
export type Content = Schemas['Content']
export type Medium = Schemas['Medium']

type SectionField = 'uuid' | 'title' | 'urlname' | 'parent_uuid' | 'hide_in_nav'
export type Section = Row<'/{iid}/sections', SectionField> & { readonly path: string }

/** What every page needs. */
export type Site = { readonly settings: Schemas['Settings']; readonly sections: ReadonlyMap<string, Section> }

/** What a list shows of an object. */
export type Card = {
  readonly path: string
  readonly title: string | null
  readonly kicker?: string | null
  readonly description: string | null
  readonly image: string | null
}

export type Occurrence = Row<'/{iid}/events', 'dtstart' | 'dtend' | 'title' | 'perma_url_path'>
export type Tag = Pick<Schemas['Tag'], 'title' | 'urlname'> & { readonly predicate: string }

const cardFields = ['title', 'kicker', 'description', 'perma_url_path', 'teaser_image_url'] as const
const placeFields = ['title', 'kicker', 'description', 'urlname', 'thumb_url'] as const

export type Publication = ReturnType<typeof openPublication>

/** Reads a value again when it is older than a minute, which is how long responses may be cached. */
const forOneMinute = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let expires = 0
  let value: Promise<T>
  return () => {
    if (Date.now() < expires) return value
    expires = Date.now() + 60_000
    value = read()
    value.catch(() => (expires = 0))
    return value
  }
}

/** Null if the object does not exist or is not public. */
export const unlessMissing = (error: unknown): null => {
  if (error instanceof ServiceError && error.status === 404) return null
  throw error
}

const contentCard = (row: Row<'/{iid}/content', (typeof cardFields)[number]>): Card => ({
  ...{ path: row.perma_url_path ?? '/', title: row.title, kicker: row.kicker },
  ...{ description: row.description, image: row.teaser_image_url },
})

const locationCard = (row: Row<'/{iid}/locations', (typeof placeFields)[number]>): Card => ({
  ...{ path: `/locations/${row.urlname}/`, title: row.title, kicker: row.kicker },
  ...{ description: row.description, image: row.thumb_url },
})

export const openPublication = (client: Client, iid: number) => {
  const path = { iid }
  const object = (uuid: string) => ({ params: { path: { iid, uuid } } })

  const site = forOneMinute(async (): Promise<Site> => {
    const settings = dataOf(await client.GET('/{iid}/settings', { params: { path } }))
    const fields = ['uuid', 'title', 'urlname', 'parent_uuid', 'hide_in_nav'] as const
    const rows = new Map<string | null, Row<'/{iid}/sections', SectionField>>()
    for await (const row of client.rows('/{iid}/sections', { path, query: { fields, order: ['ord'] } }))
      rows.set(row.uuid, row)
    const pathOf = (uuid: string | null): string => {
      const row = rows.get(uuid)
      return row === undefined ? '/' : `${pathOf(row.parent_uuid)}${row.urlname}/`
    }
    const sections = new Map([...rows].map(([uuid, row]) => [uuid ?? '', { ...row, path: pathOf(uuid) }]))
    return { settings, sections }
  })

  const readContent = async (uuid: string) => dataOf(await client.GET('/{iid}/content/{uuid}', object(uuid)))
  const readLocation = async (uuid: string) =>
    dataOf(await client.GET('/{iid}/locations/{uuid}', object(uuid)))

  /** The content or link of a story, with the texts and the image that the story has in place of its own. */
  const readStory = async (story: Schemas['Story']): Promise<Card> => {
    const { title, description, image_url: image } = story
    const own = story.type === 'content' ? contentCard(await readContent(story.link_uuid)) : null
    return {
      path: story.type === 'link' ? story.link_url : (own?.path ?? '/'),
      title: title ?? own?.title ?? null,
      kicker: own?.kicker ?? null,
      description: description ?? own?.description ?? null,
      image: image ?? own?.image ?? null,
    }
  }

  return {
    ...{ client, path, object, site, readContent, readLocation },
    readStories: (stories: readonly Schemas['Story'][]) => Promise.all(stories.map(readStory)),

    readTags: async (uuid: string): Promise<readonly Tag[]> => {
      const { items } = dataOf(await client.GET('/{iid}/content/{uuid}/tags', object(uuid)))
      const read = async (tag: (typeof items)[number]) => ({
        ...tag,
        ...dataOf(await client.GET('/{iid}/tags/{uuid}', object(tag.uuid))),
      })
      return Promise.all(items.map(read))
    },

    /** A page of content, newest first. */
    listContent: async (selection: { readonly sections?: string; readonly tags?: string }, page: number) => {
      const query = { fields: cardFields, order: ['issued.desc' as const], rpp: 12, page, ...selection }
      const { rows, more } = await client.page('/{iid}/content', { path, query })
      return { cards: rows.map(contentCard), more }
    },
    listLocations: async (selection: { readonly tags?: string }, page: number) => {
      const query = { fields: placeFields, order: ['sort_title' as const], rpp: 24, page, ...selection }
      const { rows, more } = await client.page('/{iid}/locations', { path, query })
      return { cards: rows.map(locationCard), more }
    },
    /** The dates of events in a period, `<from>_<to>`. */
    listOccurrences: async (period: string) => {
      const fields = ['uuid', 'title', 'dtstart', 'dtend', 'perma_url_path'] as const
      const query = { fields, dtstart: period, order: ['dtstart' as const], rpp: 100 }
      return (await client.page('/{iid}/events', { path, query })).rows
    },
  }
}
