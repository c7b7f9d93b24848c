/** What several pages read from the service. */
import { createClient, dataOf, type components, type WebPage } from '@publishing-service/client'
import { API_KEY, API_SECRET, SERVICE } from 'astro:env/server'

export type Teaser = components['schemas']['Teaser']
export type Seo = components['schemas']['Seo']

const credentials = API_KEY && API_SECRET ? { key: API_KEY, secret: API_SECRET } : {}
export const client = createClient({ service: SERVICE, ...credentials })
export const iid = 1
const params = { path: { iid } }

const collect = async <T>(rows: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

const sectionFields = ['path', 'title', 'hide_in_nav', 'externalurl', 'parent_uuid'] as const

/** The sections in their order. */
export const sections = await collect(
  client.rows('/{iid}/sections', { ...params, query: { fields: sectionFields, order: ['ord'] } }),
)

export const settings = dataOf(await client.GET('/{iid}/settings', { params }))

/** The path of a page of a list: the first one is that of the section or the tag. */
export const pathOfPage = (path: string, number: number): string =>
  number === 1 ? path : `${path}page/${number}/`

/** A page of the website; `page` is null if only its path is known. */
export type PageProps = { readonly path: string; readonly number: number; readonly page: WebPage | null }

const listOf = (page: WebPage | null) =>
  page?.kind === 'section' ? page.content : page?.kind === 'tag' ? page.objects : null

/** The pages of the list of a section or a tag. */
const listPages = async (path: string): Promise<readonly PageProps[]> => {
  const pages: PageProps[] = []
  for (let more = true; more;) {
    const number = pages.length + 1
    const page = await client.webPage({ iid, path, page: number })
    pages.push({ path, number, page })
    more = listOf(page)?.next !== undefined
  }
  return pages
}

/** Every page of the website. */
export const allPages = async (): Promise<readonly PageProps[]> => {
  const pathsOf = async (list: '/{iid}/content' | '/{iid}/locations' | '/{iid}/tags') =>
    (await collect(client.rows(list, { ...params, query: { fields: ['path'] } }))).map(({ path }) => path)
  const objects = ['/', ...(await pathsOf('/{iid}/content')), ...(await pathsOf('/{iid}/locations'))]
  const all = objects.map((path): PageProps => ({ path, number: 1, page: null }))
  const own = sections.filter(({ externalurl }) => externalurl === null).map(({ path }) => path)
  for (const path of [...own, ...(await pathsOf('/{iid}/tags'))]) all.push(...(await listPages(path)))
  return all
}

/** A date of the publication in words. It has no UTC offset and is shown unchanged. */
export const dated = (date: string): string =>
  new Intl.DateTimeFormat(settings.language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}Z`),
  )
