import { providing } from '../token.js'
import { tokens } from '../tokens.js'

/** The document store that STORE chooses. */
export const documentsModule = () =>
  providing(
    tokens.documents,
    [tokens.configuration],
    (configuration) => configuration.documentStore.open(configuration),
    (store) => store.close(),
  )

/** The blob store that BLOBS chooses. */
export const blobsModule = () =>
  providing(
    tokens.blobs,
    [tokens.configuration],
    (configuration) => configuration.blobStore.open(configuration),
    (store) => store.close(),
  )
