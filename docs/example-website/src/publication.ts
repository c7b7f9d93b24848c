/** Reads what several pages show, over the API. */
import { dataOf, includedIn, type Client, type components, type Row } from '@publishing-service/client'
import type { Value } from './markup.js'

type Schemas = components['schemas']
export type Content = Schemas['Content']
export type Medium = Schemas['Medium']
export type Publication = Awaited<ReturnType<typeof openPublication>>

const contentFields = ['title', 'kicker', 'description', 'perma_url_path', 'teaser_image_url'] as const
const placeFields = ['title', 'kicker', 'description', 'urlname', 'thumb_url', 'street', 'coords'] as const
const dateFields = ['event_uuid', 'title', 'urlname', 'section_uuid', 'dtstart', 'dtend'] as const
export type Place = Row<'/{iid}/locations', (typeof placeFields)[number]>
export type Occurrence = Awaited<ReturnType<Publication['listOccurrences']>>[number]

/** What a list shows of content, or of a link. */
export type Card = {
  readonly [Name in 'title' | 'kicker' | 'perma_url_path' | 'teaser_image_url']: string | null
} & { readonly description: Value }

export const openPublication = async (client: Client) => {
  const iid = (await client.token()).items[0]?.id ?? 1
  const path = { iid }
  const object = (uuid: string) => ({ params: { path: { iid, uuid } } })
  /** Content with the objects that its page shows. */
  const readContent = async (uuid: string) => {
    const include = ['tags' as const, 'location' as const, 'roundup_content_targets' as const]
    const params = { path: { iid, uuid }, query: { include } }
    return dataOf(await client.GET('/{iid}/content/{uuid}', { params }))
  }

  const readSite = async () => {
    const fields = ['uuid', 'title', 'urlname', 'parent_uuid', 'hide_in_nav'] as const
    const query = { fields, rpp: 100, order: ['ord' as const] }
    const { rows } = await client.page('/{iid}/sections', { path, query })
    const pathOf = (uuid: string | null): string => {
      const section = rows.find((each) => each.uuid === uuid)
      return section ? `${pathOf(section.parent_uuid)}${section.urlname}/` : '/'
    }
    const sections = rows.map((section) => ({ ...section, path: pathOf(section.uuid) }))
    return { sections, ...dataOf(await client.GET('/{iid}/settings', { params: { path } })) }
  }
  /** The settings and the sections, at most a minute old. */
  let site = await readSite()
  setInterval(() => void readSite().then((read) => (site = read), String), 60_000).unref()

  /** Stories, each with its texts and its image in place of those of the content that it links to. */
  const storyCards = (list: Schemas['SectionStories']): readonly Card[] =>
    list.items.map((story) => {
      const own = story.type === 'content' ? includedIn(list, 'Content', story.link_uuid) : null
      return {
        title: story.title ?? own?.title ?? null,
        kicker: own?.kicker ?? null,
        description: story.description ?? own?.description,
        perma_url_path: story.type === 'link' ? story.link_url : (own?.perma_url_path ?? null),
        teaser_image_url: story.image_url ?? own?.teaser_image_url ?? null,
      }
    })
  /** The parameters of a list of stories, with the content that they link to. */
  const withLinks = { include: ['link' as const] }
  const stories = (uuid: string) => ({ params: { path: { iid, uuid }, query: withLinks } })

  /** A page of content, newest first. */
  const listContent = (page: number, selection: { readonly sections?: string; readonly tags?: string }) => {
    const query = { ...selection, fields: contentFields, order: ['issued.desc' as const], rpp: 12, page }
    return client.page('/{iid}/content', { path, query })
  }

  const listPlaces = (page: number, selection: { readonly tags?: string }) => {
    const query = { ...selection, fields: placeFields, order: ['sort_title' as const], rpp: 12, page }
    return client.page('/{iid}/locations', { path, query })
  }

  /** The dates of events, by default from now on. */
  const listOccurrences = async (selection: { period?: string; sections?: string; locations?: string }) => {
    const query = { ...selection, fields: dateFields, rpp: 100 }
    const { rows } = await client.page('/{iid}/events/occurrences', { path, query })
    const above = (uuid: string | null) => site.sections.find((each) => each.uuid === uuid)?.path ?? '/'
    return rows.map((row) => ({ ...row, path: `${above(row.section_uuid)}${row.urlname}/` }))
  }

  const lists = { listContent, listPlaces, listOccurrences }
  return { client, iid, object, site: () => site, readContent, stories, storyCards, ...lists }
}
