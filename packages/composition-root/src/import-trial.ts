import {
  collections,
  createUseCases,
  orThrow,
  uniqueTexts,
  type ImportTrial,
} from '@publishing-service/application'
import { noMetrics } from '@publishing-service/ports'
import type { Container } from './container.js'
import { tokens } from './tokens.js'

/**
 * Opens the service as it is, to see what would become of an import: what is written remains in memory. Data of files is forgotten
 * with `afterRecord`.
 */
export const openImportTrial = async (container: Container): Promise<ImportTrial> => {
  const { memoryBlobStore, overlayDocumentStore } = await import('@publishing-service/adapter-memory')
  const ports = await container.getAsync(tokens.ports)
  const documents = overlayDocumentStore(ports.documents, collections, uniqueTexts)
  const blobs = memoryBlobStore()
  const { sessions } = createUseCases(
    // Its calls would be counted as those of the stores of the service.
    { ...ports, documents, blobs, metrics: noMetrics },
    await container.getAsync(tokens.deployment),
  )
  return {
    sessions,
    afterRecord: async () => {
      for await (const { key } of blobs.list('')) await orThrow(blobs.remove(key))
    },
    close: async () => {
      await documents.close()
      await blobs.close()
    },
  }
}
