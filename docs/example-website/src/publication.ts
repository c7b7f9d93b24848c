/** Reads what pages show, over the API. */
import {
  dataOf,
  includedIn,
  ServiceError,
  type Client,
  type components,
  type WebPage,
} from '@publishing-service/client'
import { createCache } from './cache.js'

type Schemas = components['schemas']
export type PageOf<Kind extends WebPage['kind']> = Extract<WebPage, { readonly kind: Kind }>
export type Picture = Pick<
  Schemas['Picture'],
  'url' | 'width' | 'height' | 'alt' | 'focal_point' | 'srcset' | 'placeholder'
>
export type Seo = Schemas['Seo']
export type Publication = Awaited<ReturnType<typeof openPublication>>
export type Place = Awaited<ReturnType<Publication['places']>>['rows'][number]

/** The objects on a page of a list. */
export const pageSize = 12

const placeFields = [
  'uuid',
  'title',
  'kicker',
  'description',
  'path',
  'street',
  'streetnumber',
  'coords',
  'thumb_uuid',
] as const
const dateFields = ['title', 'path', 'dtstart', 'dtend', 'location_uuid'] as const
const commentFields = ['uuid', 'parent_uuid', 'title', 'comment', 'creator', 'created', 'deleted'] as const

const commentForm = ['uuid', 'comment', 'creator', 'email', 'leave_empty'] as const

type PlaceSelection = Readonly<
  Partial<Record<'uuid' | 'not_uuid' | 'tags' | 'near', string> & Record<'page' | 'rpp', number>>
>

/** The image of a row, whose file is included; pages have pictures in this form. */
const pictureIn = (list: Parameters<typeof includedIn>[0], uuid: string | null): Picture | null => {
  const file = includedIn(list, 'File', uuid)
  if (file?.download_url === undefined) return null
  const { download_url: url, width, height, title: alt, focal_point, mimetype } = file
  const widths = /^image\/(jpeg|png|gif|webp)$/.test(mimetype ?? '') ? [320, 480, 640, 960] : []
  const srcset = widths.map((w) => ({ width: w, url: `${url}?w=${w}&format=auto` }))
  return { url, width, height, alt, focal_point, srcset, placeholder: null }
}

/** What visitors send has no token, because a token has no limit for each of them. */
export const openPublication = async (iid: number, client: Client, visitors: Client) => {
  const path = { iid }
  const { docs_url: docs } = dataOf(await client.GET('/'))

  const readSite = async () => {
    const fields = ['title', 'path', 'parent_uuid', 'hide_in_nav', 'externalurl'] as const
    const [settings, { rows: sections }, imprint] = await Promise.all([
      client.GET('/{iid}/settings', { params: { path } }).then(dataOf),
      client.page('/{iid}/sections', { path, query: { fields, rpp: 100, order: ['ord'] } }),
      client.webPage({ iid, path: '/imprint/' }),
    ])
    return { ...settings, sections, hasImprint: imprint !== null }
  }
  const sites = createCache<Awaited<ReturnType<typeof readSite>>>(60_000)

  return {
    client,
    path,
    /** The start of the addresses of files. */
    files: new URL(`${iid}/files/`, docs).href,
    /** What the frame of all pages shows, at most a minute old. */
    site: () => sites.get('', readSite),
    forget: sites.clear,

    /** What is at a path, with a page of its list; a client of a preview reads the draft. */
    page: (address: string, page: number, from: Client = client) =>
      from.webPage({ iid, path: address, page, rpp: pageSize, total: true }),

    /** A page of places: of a tag, or the nearest ones; with the tags that all of them have. */
    places: async (selection: PlaceSelection) => {
      const order = [selection.near === undefined ? ('sort_title' as const) : ('distance' as const)]
      const query = {
        rpp: pageSize,
        ...selection,
        fields: placeFields,
        order,
        include: ['thumb' as const],
        total: true,
        facets: ['tags' as const],
      }
      const list = await client.page('/{iid}/locations', { path, query })
      const rows = list.rows.map((row) => ({ ...row, image: pictureIn(list, row.thumb_uuid) }))
      return { ...list, rows }
    },

    /** All dates of events in a period; or the next ones, as many as `most`. */
    occurrences: async (selection: { readonly period?: string; readonly most?: number }) => {
      const { most: rpp = 100, ...period } = selection
      const query = { ...period, fields: dateFields, rpp, include: ['location' as const] }
      const list = await client.page('/{iid}/events/occurrences', { path, query })
      const read = [list]
      for (let page = 2; selection.most === undefined && read.at(-1)?.more === true; page += 1)
        read.push(await client.page('/{iid}/events/occurrences', { path, query: { ...query, page } }))
      return read.flatMap((each) =>
        each.rows.map((row) => ({ ...row, place: includedIn(each, 'Location', row.location_uuid) ?? null })),
      )
    },

    /** Sends the comment of a visitor; returns why it is not accepted. */
    sendComment: async (form: URLSearchParams, visitor: string): Promise<[number, string, string] | null> => {
      const [uuid = '', comment = '', creator = '', email = '', website = ''] = commentForm.map(
        (name) => form.get(name) ?? '',
      )
      const body = { comment, creator, website, ...(email && { email }) }
      const { response, error } = await visitors.POST('/{iid}/content/{uuid}/visitor_comments', {
        params: { path: { iid, uuid } },
        headers: { 'X-Forwarded-For': visitor },
        body,
      })
      if (response.ok) return null
      const [fault] = Object.entries(new ServiceError(response, error).faults)
      const reason = fault?.join(' ') ?? 'Please try again in a few minutes.'
      return [response.status, 'This could not be sent', reason]
    },

    /** The comments on content, each before its replies. */
    comments: async (content: string) => {
      const query = { content, fields: commentFields, order: ['tree' as const], rpp: 100 }
      return (await client.page('/{iid}/comments', { path, query })).rows
    },
  }
}
