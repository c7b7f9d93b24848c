import { referringTo } from './referring.js'
import { uuid } from './text.js'
import type { ValueType } from './value-type.js'

type ReferenceOptions = { readonly media?: 'image' | 'audio' }

/** The UUID of an object of the same instance; reads as null after that object is deleted (docs/behaviour/writing.md#deleted-targets). */
export const reference = (collection: string, { media }: ReferenceOptions = {}): ValueType<string> => ({
  ...uuid,
  targets: [collection],
  ...referringTo(collection, media),
})
