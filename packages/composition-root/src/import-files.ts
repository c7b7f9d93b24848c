/** Opens files of other systems for imports that the service runs. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Bundles, ImportFiles, ImportPlace, OpenedFile } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import {
  importOptionTypes,
  type ForeignKind,
  type ImportKind,
  type ImportOptionsOf,
  type OpenMedia,
} from '@publishing-service/domain/imports'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Clock } from '@publishing-service/ports'
import { openBundle } from './bundle-file.js'
import type { Configuration } from './configuration.js'
import { openWebsite } from './media-fetcher.js'

/** Opens a bundle. Throws an UnreadableSource. */
const openBundleFile = async (
  path: string,
  { only, new_ids: newIds }: ImportOptionsOf<'bundle'>,
  { instance }: ImportPlace,
  bundles: Bundles,
): Promise<OpenedFile> => {
  const { UnreadableSource } = await import('@publishing-service/imports')
  const bundle = await openBundle(path, (problem) => {
    throw new UnreadableSource(problem)
  })
  const request = { instance, newIds, only: only.length === 0 ? null : new Set(only) }
  const read = await bundles.readObjects(bundle, request, { onProgress: () => undefined })()
  if (E.isRight(read)) {
    const { source, openMedia: media } = read.right
    return { source, media, close: async () => bundle.close() }
  }
  bundle.close()
  throw read.left._tag === 'ExportDamaged' ? new UnreadableSource(read.left.problem) : read.left
}

/** Options of an import, which were decoded before they were stored. */
const optionsOf = <K extends ImportKind>(
  kind: K,
  sent: JsonObject,
  { STREAMING_HOSTS: streamingHosts }: Configuration,
): ImportOptionsOf<K> => {
  const decoded = importOptionTypes[kind].decode(sent, { zone: 'UTC', streamingHosts, strict: false })
  if (E.isLeft(decoded)) throw new Error(`options of an import are not accepted: ${JSON.stringify(sent)}`)
  return decoded.right
}

/** Opens a file of another system. Throws an UnreadableSource. */
const openForeignFile = async <K extends ForeignKind>(
  kind: K,
  path: string,
  sent: JsonObject,
  place: ImportPlace & Pick<Clock, 'turn'>,
  configuration: Configuration,
): Promise<OpenedFile> => {
  const { openImportFile } = await import('@publishing-service/import-files')
  const { STREAMING_HOSTS: streamingHosts } = configuration
  const context = { ...place, streamingHosts, redirects: null }
  return openImportFile(kind, path, optionsOf(kind, sent, configuration), context)
}

type Parts = Pick<ImportFiles, 'openTrial'> & Pick<Clock, 'turn'> & { readonly bundles: Bundles }

/** What imports that the service runs read with. Data is copied to a temporary file, because a zip is read at any place. */
export const importFiles = (
  configuration: Configuration,
  { bundles, turn, openTrial }: Parts,
): ImportFiles => {
  let website: Promise<OpenMedia> | null = null
  return {
    open: async (kind, options, place, body) => {
      const folder = await mkdtemp(join(tmpdir(), 'publishing-import-'))
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
      try {
        const path = join(folder, 'file')
        await pipeline(body, createWriteStream(path, { mode: 0o600 }))
        const { close, ...opened } = await (kind === 'bundle'
          ? openBundleFile(path, optionsOf(kind, options, configuration), place, bundles)
          : openForeignFile(kind, path, options, { ...place, turn }, configuration))
        return E.right({
          ...opened,
          close: async () => {
            await close()
            await remove()
          },
        })
      } catch (error) {
        await remove()
        const { UnreadableSource } = await import('@publishing-service/imports')
        if (error instanceof UnreadableSource) return E.left(error.message)
        throw error
      }
    },
    fetchMedia: async (upload) => {
      website ??= openWebsite(configuration)
      return (await website)(upload)
    },
    openTrial,
  }
}
