import { createContext, use } from 'react'
import type { JsonObject } from '@publishing-service/domain'
import type { useUploads } from '../library/use-uploads.js'

/** What is changed of a slot. */
export type SlotDraft = {
  /** Changed settings. */
  readonly settings: JsonObject
  /** The media in place of the stored ones; null if they are not changed. */
  readonly media: readonly JsonObject[] | null
  /** The entity tag of the media that are replaced. */
  readonly tag: string | null
  /** Why the last attempt to save failed. */
  readonly error: unknown
}

export const unchanged: SlotDraft = { settings: {}, media: null, tag: null, error: null }

type SlotsContext = {
  /** Null before the content is created. */
  readonly contentId: string | null
  /** Whether the editor made the slot after the content was last saved: it is not stored yet. */
  readonly isNew: (id: string) => boolean
  readonly draftOf: (id: string) => SlotDraft
  readonly change: (id: string, change: Partial<SlotDraft>) => void
  readonly discard: (id: string) => void
  /** The uploads of pictures that were pasted into the text. */
  readonly uploadsOf: (id: string) => ReturnType<typeof useUploads>
}

export const CurrentSlots = createContext<SlotsContext | null>(null)

export const useSlots = (): SlotsContext => {
  const slots = use(CurrentSlots)
  if (slots === null) throw new Error('there are no slots here')
  return slots
}
