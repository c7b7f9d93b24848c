import { createFinalURL } from 'openapi-fetch'
import type { components } from './api.js'
import { serializers } from './read-rows.js'
import { readJson, ServiceError } from './service-error.js'

/** What the website shows at a path (docs/behaviour/pages.md), by `kind`. */
export type WebPage = components['schemas']['WebPage']

export type WebPageOptions = {
  readonly iid: number
  /** The path that a visitor requested. */
  readonly path: string
  /** The page of the list of a section or a tag, from 1 on. */
  readonly page?: number
  /** The number of objects of that list. */
  readonly rpp?: number
  /** Whether that list has the number of all its objects, in `total`. */
  readonly total?: boolean
  readonly signal?: AbortSignal
}

/** Reads what the website shows at a path; null if there is nothing. */
export const readWebPage = async (
  get: (url: string) => Promise<Response>,
  baseUrl: string,
  { iid, signal: _signal, ...query }: WebPageOptions,
): Promise<WebPage | null> => {
  const params = { path: { iid }, query }
  try {
    return await readJson<WebPage>(
      await get(createFinalURL('/{iid}/page', { baseUrl, params, ...serializers })),
    )
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null
    throw error
  }
}
