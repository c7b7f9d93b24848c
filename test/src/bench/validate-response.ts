/** Validates responses of the service, because measurements of wrong responses mean nothing. */
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain'
import { article, contentId } from './article.js'
import { headerOf, jsonOf, type ReceivedResponse } from './exchange.js'
import type { Request } from './traffic.js'

/** Reads the newest state at a path of the service, as an editor. */
export type Read = (path: string) => Promise<ReceivedResponse>

/** What is wrong with a response of the service; null if it is right. */
export type Validate = (response: ReceivedResponse, request: Request, read: Read) => Promise<string | null>

export const rowsPerPage = 100

const objectOf = (response: ReceivedResponse): JsonObject => {
  const read = jsonOf(response)
  return isJsonObject(read) ? read : {}
}

const itemsOf = (response: ReceivedResponse): readonly Json[] => {
  const { items } = objectOf(response)
  return Array.isArray(items) ? items : []
}

export const statusFault = ({ status, body }: ReceivedResponse, wanted: number): string | null =>
  status === wanted ? null : `status ${status}: ${body.toString('utf8').slice(0, 300)}`

/** The object that the path names, with every attribute that was written. */
export const validateArticle: Validate = async (response, { path }) => {
  const fault = statusFault(response, 200)
  if (fault !== null) return fault
  const read = objectOf(response)
  const number = Number(/\d+$/.exec(path)?.[0])
  const wrong = Object.entries(article(number, number)).find(([name, value]) => read[name] !== value)
  if (wrong !== undefined) return `${wrong[0]} is ${JSON.stringify(read[wrong[0]])}`
  return read['uuid'] === contentId(number) &&
    typeof read['teaser_image_url'] === 'string' &&
    headerOf(response, 'ETag') !== undefined
    ? null
    : 'uuid, teaser_image_url or ETag is missing'
}

/** A whole page of three fields in its order. */
export const validatePage: Validate = async (response) => {
  const fault = statusFault(response, 200)
  if (fault !== null) return fault
  const items = itemsOf(response)
  const rows = items.filter((item): item is readonly Json[] => Array.isArray(item) && item.length === 3)
  const [titles, urls, issued] = [0, 1, 2].map((column) => rows.map((row) => String(row[column])))
  if (rows.length !== rowsPerPage) return `${rows.length} rows of three fields, of ${items.length}`
  if (!titles?.every((title) => title.startsWith('The market hall'))) return 'a title is not an article’s'
  if (!urls?.every((url) => url.includes('/content/cccccccc-'))) return 'a URL is not a content object’s'
  return issued?.every((each, index) => index === 0 || each < (issued[index - 1] ?? '')) === true
    ? null
    : 'the order is not by issue'
}

/** The address of what was written, where the title can be read that belongs to the request's serial. */
export const validateWrite =
  (titleOf: (serial: string) => RegExp): Validate =>
  async (response, request, read) => {
    const fault = statusFault(response, 200)
    if (fault !== null) return fault
    const { url, uuid } = objectOf(response)
    if (typeof url !== 'string' || typeof uuid !== 'string' || !url.endsWith(`/content/${uuid}`))
      return 'no url and uuid'
    const stored = objectOf(await read(new URL(url).pathname))
    const serial = /\d{12}/.exec(String((JSON.parse(request.body ?? '{}') as JsonObject)['title']))?.[0] ?? ''
    return titleOf(serial).test(String(stored['title'])) ? null : `the title reads ${String(stored['title'])}`
  }

/** How many content objects there are: pages are halved until the last one is found. */
export const countContent = async (read: Read, instance: number): Promise<number> => {
  const onPage = async (page: number): Promise<number> =>
    itemsOf(await read(`/${instance}/content?fields=uuid&page=${page}&rpp=${rowsPerPage}`)).length
  let [full, beyond] = [0, 1]
  while ((await onPage(beyond)) === rowsPerPage) [full, beyond] = [beyond, beyond * 2]
  while (beyond - full > 1) {
    const middle = Math.floor((full + beyond) / 2)
    if ((await onPage(middle)) === rowsPerPage) full = middle
    else beyond = middle
  }
  return full * rowsPerPage + (await onPage(beyond))
}

/** Data of this type. */
export const validateBytes =
  (type: string, isRight: (body: Buffer) => boolean): Validate =>
  async (response) =>
    statusFault(response, 200) ??
    (isRight(response.body) && headerOf(response, 'Content-Type') === type
      ? null
      : `${response.body.length} bytes of another file`)
