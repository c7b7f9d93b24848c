/** Reads what the pages show, over the API. */
import { dataOf, type Client, type components, type Row } from '@publishing-service/client'

type Schemas = components['schemas']
export type Content = Schemas['Content']
export type Medium = Schemas['Medium']

const cardFields = ['title', 'kicker', 'description', 'perma_url_path', 'teaser_image_url'] as const
/** What a list shows of content, a location or a link. */
export type Card = Row<'/{iid}/content', (typeof cardFields)[number]>

const placeFields = [
  'title',
  'kicker',
  'description',
  'urlname',
  'thumb_url',
  'street',
  'lat',
  'long',
] as const
const eventFields = ['title', 'dtstart', 'dtend', 'perma_url_path'] as const
export type Occurrence = Row<'/{iid}/events', (typeof eventFields)[number]>

const sectionFields = ['uuid', 'title', 'urlname', 'parent_uuid', 'hide_in_nav'] as const
export type Tag = Pick<Schemas['Tag'], 'title' | 'urlname'> & { readonly predicate: string }
export type Site = ReturnType<Publication['site']>
export type Publication = Awaited<ReturnType<typeof openPublication>>

export const openPublication = async (client: Client) => {
  const iid = (await client.token()).items[0]?.id ?? 1
  const path = { iid }
  const object = (uuid: string) => ({ params: { path: { iid, uuid } } })
  const readContent = async (uuid: string) => dataOf(await client.GET('/{iid}/content/{uuid}', object(uuid)))

  /** Content or a link, with the texts and the image that the story has in place of its own. */
  const readStory = async (story: Schemas['Story']): Promise<Card> => {
    const own =
      story.type === 'link'
        ? { perma_url_path: story.link_url, kicker: null, teaser_image_url: null }
        : await readContent(story.link_uuid)
    const { title, description, image_url: image } = story
    const texts = { ...(title !== null && { title }), ...(description !== null && { description }) }
    return { title, description, ...own, ...texts, ...(image !== null && { teaser_image_url: image }) }
  }

  const readSite = async () => {
    const rows = new Map<string | null, Row<'/{iid}/sections', (typeof sectionFields)[number]>>()
    const query = { fields: sectionFields, order: ['ord' as const] }
    for await (const row of client.rows('/{iid}/sections', { path, query })) rows.set(row.uuid, row)
    const pathOf = (uuid: string | null): string => {
      const row = rows.get(uuid)
      return row === undefined ? '/' : `${pathOf(row.parent_uuid)}${row.urlname}/`
    }
    const sections = [...rows].map(([uuid, row]) => ({ ...row, path: pathOf(uuid) }))
    return { sections, ...dataOf(await client.GET('/{iid}/settings', { params: { path } })) }
  }
  let site = await readSite()
  const refresh = async () => (site = await readSite().catch(() => site))
  setInterval(() => void refresh(), 60_000).unref()

  return {
    ...{ client, iid, object, readContent },
    /** What every page shows, at most a minute old: the settings, and the sections with their paths. */
    site: () => site,
    readLocation: async (uuid: string) => dataOf(await client.GET('/{iid}/locations/{uuid}', object(uuid))),
    readStories: (stories: readonly Schemas['Story'][]) => Promise.all(stories.map(readStory)),

    /** A page of content, newest first. */
    listContent: (page: number, selection: { readonly sections?: string; readonly tags?: string }) => {
      const query = { fields: cardFields, order: ['issued.desc' as const], rpp: 12, page, ...selection }
      return client.page('/{iid}/content', { path, query })
    },

    listLocations: async (page: number, selection: { readonly tags?: string }) => {
      const query = { fields: placeFields, order: ['sort_title' as const], rpp: 12, page, ...selection }
      const { rows, more } = await client.page('/{iid}/locations', { path, query })
      const card = ({ urlname, thumb_url, ...row }: (typeof rows)[number]) => ({
        ...{ ...row, perma_url_path: `/locations/${urlname}/`, teaser_image_url: thumb_url },
      })
      return { rows: rows.map(card), more }
    },

    /** The dates of events in a period, `<from>_<to>`. */
    listOccurrences: async (period: string): Promise<readonly Occurrence[]> => {
      const query = { fields: eventFields, dtstart: period, order: ['dtstart' as const], rpp: 100 }
      return (await client.page('/{iid}/events', { path, query })).rows
    },

    readTags: async (uuid: string): Promise<readonly Tag[]> => {
      const { items } = dataOf(await client.GET('/{iid}/content/{uuid}/tags', object(uuid)))
      const read = async (tag: (typeof items)[number]) => ({
        ...tag,
        ...dataOf(await client.GET('/{iid}/tags/{uuid}', object(tag.uuid))),
      })
      return Promise.all(items.map(read))
    },
  }
}
