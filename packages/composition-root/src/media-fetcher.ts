import { E } from '@publishing-service/domain/fp'
import type { OpenMedia } from '@publishing-service/domain/imports'
import type { Configuration } from './configuration.js'

const requestsPerSecond = 5

/** Fetches data of websites for imports, under the rules of web hooks for addresses. */
export const openWebsite = async ({
  WEBHOOKS_ALLOW_PRIVATE: allowPrivate,
}: Configuration): Promise<OpenMedia> => {
  const { mediaFetcher } = await import('@publishing-service/adapter-system')
  const fetchMedia = mediaFetcher({ allowPrivate, perSecond: requestsPerSecond })
  return async ({ address, type }) => {
    const found = await fetchMedia(address)
    return 'problem' in found
      ? E.left(`${address} cannot be fetched: ${found.problem}`)
      : E.right({ ...found, type: type ?? found.type })
  }
}
