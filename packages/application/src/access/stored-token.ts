import { t } from '@publishing-service/domain/fp'
import { systemCollections } from '../collections.js'

/** A token has 43 characters; no digest is computed of much longer texts. */
export const maxTokenLength = 200

/** An access token as it is stored, under its digest: the API key that it was issued for, and when it expires. */
export const StoredToken = t.readonly(
  t.type({ key: t.string, expires: t.number }),
  systemCollections.tokens.name,
)
export type StoredToken = t.TypeOf<typeof StoredToken>
