import type { Value } from './markup.js'
import type { Publication, Seo } from './publication.js'

/** What is shown, and what search engines and social networks read of it. */
export type Page = {
  readonly seo: Seo
  readonly main: Value
  /** The section whose feed belongs to the page. Without it, the feed has all content. */
  readonly feed?: string
}

type OwnPage = {
  readonly title: string
  readonly main: Value
  /** Its path, if search engines should list it. */
  readonly path?: string
}

/** A page that is no object of the service. */
export const ownPage = async (from: Publication, { title, main, path }: OwnPage): Promise<Page> => {
  const { website_url: website } = await from.site()
  const canonical = website === null || path === undefined ? null : new URL(path, website).href
  const robots = path === undefined ? 'noindex' : 'index'
  return { seo: { title, description: null, canonical, robots, open_graph: [], json_ld: [] }, main }
}
