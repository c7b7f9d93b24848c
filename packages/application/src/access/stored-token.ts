import { t } from '@publishing-service/domain/fp'
import { systemCollections } from '../collections.js'

/** A token has 43 characters; no digest is computed of much longer texts. */
export const maxTokenLength = 200

/** An access token as it is stored, under its digest: the API key that it was issued for, and when it expires. */
export const StoredToken = t.readonly(
  t.type({ key: t.string, expires: t.number }),
  systemCollections.tokens.name,
)

/**
 * The token of a preview as it is stored, under its digest: the object, its position, who has made it, and when it expires.
 * `of` is the instance, collection and id, to find all of an object. The key is empty if the preview was made in a session;
 * previews of earlier versions have no user.
 */
export const StoredPreview = t.readonly(
  t.intersection([
    t.type({
      of: t.string,
      instance: t.number,
      collection: t.string,
      object: t.string,
      position: t.number,
      key: t.string,
      expires: t.number,
    }),
    t.partial({ user: t.string }),
  ]),
  systemCollections.previews.name,
)
export type StoredPreview = t.TypeOf<typeof StoredPreview>

const previewPrefix = 'preview.'

/** The token of a preview has a sign that no other token has. */
export const previewTokenOf = (secret: string): string => `${previewPrefix}${secret}`
export const isPreviewToken = (token: string): boolean => token.startsWith(previewPrefix)

/** The collection that a token is stored in. That of a session is not among them. */
export const collectionOfToken = (token: string): string =>
  (isPreviewToken(token) ? StoredPreview : StoredToken).name

export type StoredToken = t.TypeOf<typeof StoredToken>
