/** Validates responses of the service, because measurements of wrong responses mean nothing. */
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { article, contentId } from './article.js'
import { get, jsonOf, type Request, type Response } from './exchange.js'

/** What is wrong with a response of the server at `url`; null if it is right. */
export type Validate = (response: Response, request: Request, url: string) => Promise<string | null>

export const rowsPerPage = 100

const objectOf = (read: unknown): JsonObject => (isJsonObject(read) ? read : {})

export const isOk: Validate = async ({ status, body }) =>
  status === 200 ? null : `status ${status}: ${body.toString('utf8').slice(0, 300)}`

/** Status 200, and no fault of what `faultOf` finds. */
const validated =
  (faultOf: (response: Response, request: Request) => string | null): Validate =>
  async (response, request, url) =>
    (await isOk(response, request, url)) ?? faultOf(response, request)

/** So many items, each of which passes. */
export const validateItems = (
  count: number,
  passes: (item: Json, index: number, all: readonly Json[]) => boolean = () => true,
): Validate =>
  validated((response) => {
    const { items } = objectOf(jsonOf(response))
    if (!Array.isArray(items) || items.length !== count) return `not ${count} items`
    const wrong = items.findIndex((item, index) => !passes(item, index, items))
    return wrong === -1 ? null : `item ${wrong} is ${JSON.stringify(items[wrong])}`
  })

/** The object that the path names, with every attribute that was written. */
export const validateArticle = validated((response, { path }) => {
  const read = objectOf(jsonOf(response))
  const number = Number(/\d+$/.exec(path)?.[0])
  const written = Object.entries({ ...article(number, number), uuid: contentId(number) })
  const [wrong] = written.find(([name, value]) => read[name] !== value) ?? []
  if (wrong !== undefined) return `${wrong} is ${JSON.stringify(read[wrong])}`
  return typeof read['teaser_image_url'] === 'string' ? null : 'teaser_image_url is missing'
})

/** A whole page of title, URL and date, the newest first. */
export const validatePage = validateItems(rowsPerPage, (item, index, all) => {
  if (!Array.isArray(item) || item.length !== 3) return false
  const [title, url, issued] = item.map(String)
  const before = all[index - 1]
  return (
    title?.startsWith('The market hall') === true &&
    url?.includes(`/content/${contentId(0).slice(0, 8)}`) === true &&
    (!Array.isArray(before) || String(issued) < String(before[2]))
  )
})

/** The address of what was written, where a title can be read that belongs to the request's serial. */
export const validateWrite =
  (titleOf: (serial: string) => RegExp): Validate =>
  async (response, request, url) => {
    const fault = await isOk(response, request, url)
    if (fault !== null) return fault
    const { pathname } = new URL(String(objectOf(jsonOf(response))['url']))
    const stored = await get(url, pathname, { ...request.headers, 'Cache-Control': 'no-cache' })
    const title = String(objectOf(jsonOf(stored))['title'])
    const serial = /\d{12}/.exec(String(objectOf(JSON.parse(String(request.body)))['title']))?.[0] ?? ''
    return titleOf(serial).test(title) ? null : `the title reads ${title}`
  }

export const validateBytes = (isRight: (body: Buffer) => boolean): Validate =>
  validated(({ body }) => (isRight(body) ? null : `${body.length} bytes of another file`))
