import { utcTime } from '@publishing-service/domain/time'
import { E } from '@publishing-service/domain/fp'
import { systemCollections, systemInstance } from '../collections.js'
import { removeAllStored } from '../engine/remove-stored.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import type { Previewed } from './principals.js'
import { previewTokenOf, type StoredPreview } from './stored-token.js'

const { name: collection } = systemCollections.previews

type Addressed = Pick<Previewed, 'instance' | 'collection' | 'object'>

const ofObject = ({ instance, collection: of, object }: Addressed): string => `${instance}/${of}/${object}`

/** The tokens of previews. Functions throw a PortFailure. */
export type PreviewTokens = {
  /** Makes a token that is valid for some seconds, for a user and its API key, which is empty in a session. */
  readonly create: (
    previewed: Previewed,
    maker: { readonly user: string; readonly key: string },
    seconds: number,
  ) => Promise<{ readonly token: string; readonly expires: string }>
  /** Ends all of an object. */
  readonly remove: (object: Addressed) => Promise<void>
}

export const createPreviewTokens = ({
  documents: all,
  clock,
  ids,
  secrets,
}: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>): PreviewTokens => {
  const documents = documentsIn(all, systemInstance)
  return {
    create: async (previewed, { user, key }, seconds) => {
      const token = previewTokenOf(ids.secret())
      const expires = clock.now() + seconds * 1000
      const value: StoredPreview = { ...previewed, of: ofObject(previewed), user, key, expires }
      const inserted = await documents.insert(collection, { id: secrets.digest(token), unique: null, value })
      if (E.isLeft(inserted)) throw new Error(`a new token was rejected: ${inserted.left._tag}`)
      return { token, expires: utcTime(expires) }
    },
    remove: async (object) => {
      await removeAllStored(documents, collection, [{ key: 'of', equals: ofObject(object) }])
    },
  }
}
