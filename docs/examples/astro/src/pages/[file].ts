/** Files that the service writes for the website. They need its setting website_url. */
import { dataOf } from '@publishing-service/client'
import type { APIRoute, GetStaticPaths } from 'astro'
import { client, iid } from '../publication'

const params = { path: { iid } }
const options = { params, parseAs: 'text' } as const

const files = new Map([
  ['sitemap.xml', async () => dataOf(await client.GET('/{iid}/sitemap.xml', options))],
  ['news-sitemap.xml', async () => dataOf(await client.GET('/{iid}/news-sitemap.xml', options))],
  ['robots.txt', async () => dataOf(await client.GET('/{iid}/robots.txt', options))],
  [
    '_redirects',
    async () => {
      const query = { format: 'netlify' } as const
      return dataOf(
        await client.GET('/{iid}/redirects/export', { params: { ...params, query }, parseAs: 'text' }),
      )
    },
  ],
])

export const getStaticPaths: GetStaticPaths = () => Array.from(files.keys(), (file) => ({ params: { file } }))

export const GET: APIRoute = async ({ params: { file = '' } }) =>
  new Response((await files.get(file)?.()) ?? null)
