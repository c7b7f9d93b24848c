/**
 * The main job of a client, with types from the service’s OpenAPI document: get a token, list what there is, create an
 * article with an image, and download the image scaled down.
 */
import createClient from 'openapi-fetch'
import type { components, paths } from './publishing-service.js'

type Article = components['schemas']['ContentArticleInput']

export type Job = {
  /** The service, such as http://127.0.0.1:8080. */
  readonly service: string
  readonly key: string
  readonly secret: string
  readonly image: Blob
}

export type Done = {
  /** Titles of the newest articles, as they were before. */
  readonly titles: readonly unknown[]
  /** UUID of the article that was made. */
  readonly article: string
  /** Its teaser image, at most 200 pixels wide and high. */
  readonly thumbnail: Blob
}

/** What an answer holds; throws with the error that the service told. */
const dataOf = <D, E extends { readonly error_description: string }>(answer: {
  readonly data?: D
  readonly error?: E
}): D => {
  if (answer.data === undefined) throw new Error(answer.error?.error_description ?? 'no answer')
  return answer.data
}

export const doMainJob = async ({ service, key, secret, image }: Job): Promise<Done> => {
  const api = createClient<paths>({ baseUrl: service })

  const token = dataOf(
    await api.POST('/oauth/token', {
      body: { grant_type: 'client_credentials', api_key: key, api_secret: secret },
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }),
  )
  api.use({
    onRequest: ({ request }) => {
      request.headers.set('Authorization', `Bearer ${token.access_token}`)
      return request
    },
  })
  const iid = token.items[0]?.id ?? 1

  const newest = dataOf(
    await api.GET('/{iid}/content', {
      params: {
        path: { iid },
        query: { fields: ['title'], ctypes: ['articles'], order: ['issued.desc'], rpp: 5 },
      },
    }),
  )

  const file = dataOf(
    await api.POST('/{iid}/files', {
      params: { path: { iid } },
      body: { title: 'A picture', filename: 'picture.png' },
    }),
  )
  const uploaded = dataOf(
    await api.POST('/{iid}/files/{uuid}', {
      params: { path: { iid, uuid: file.uuid } },
      // The document says «bytes of any type»; how they are sent is left to fetch.
      body: '',
      bodySerializer: () => image,
      headers: { 'Content-Type': image.type },
    }),
  )

  const article: Article = {
    content_type: 'article',
    title: 'Written by a client',
    urlname: `written-by-a-client-${file.uuid}`,
    content: '<p>It knows the names and types of everything that it sends.</p>',
    teaser_image_uuid: file.uuid,
  }
  const made = dataOf(await api.POST('/{iid}/content', { params: { path: { iid } }, body: article }))

  const upload = Number(uploaded.download_url.split('/').at(-1))
  const thumbnail = dataOf(
    await api.GET('/{iid}/files/{uuid}/download/{upload}', {
      params: { path: { iid, uuid: file.uuid, upload }, query: { w: 200, h: 200 } },
      parseAs: 'blob',
    }),
  )
  return {
    titles: newest.items.map(([title]) => title),
    article: made.uuid,
    thumbnail,
  }
}
