import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { itemsIn } from '../../json.js'
import type { UploadState, useUploads } from '../library/use-uploads.js'
import { useInstance } from '../service/place.js'
import { isServiceError } from '../service/session.js'

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

type Uploads = ReturnType<typeof useUploads>

type SlotsContext = {
  /** Null before the content is created. */
  readonly contentId: string | null
  /** Whether the editor made the slot after the content was last saved: it is not stored yet. */
  readonly isNew: (id: string) => boolean
  readonly draftOf: (id: string) => SlotDraft
  readonly change: (id: string, change: Partial<SlotDraft>) => void
  readonly discard: (id: string) => void
  /** The uploads of pictures that were pasted into the text. */
  readonly uploadsOf: (id: string) => Uploads
  /** Those that failed and have no slot any more. */
  readonly failedUploads: Uploads
  /** Repeats a failed upload for another slot, and returns the id of that slot. */
  readonly retryInNewSlot: (upload: UploadState) => string
}

export const CurrentSlots = createContext<SlotsContext | null>(null)

export const useSlots = (): SlotsContext => {
  const slots = use(CurrentSlots)
  if (slots === null) throw new Error('there are no slots here')
  return slots
}

/** What is stored of a slot: nothing before it is saved for the first time. */
const useStoredSlot = (contentId: string | null, id: string, isNew: boolean) => {
  const { api, iid } = useInstance()
  const path = `content/${contentId}/slots/${id}`
  const { data } = useQuery({
    queryKey: [iid, 'content', contentId, 'slots', id],
    queryFn: async () => {
      try {
        const [settings, media] = await Promise.all([api.read(path), api.read(`${path}/media`)])
        return { settings: settings.value, media: itemsIn(media.value), tag: media.tag }
      } catch (error) {
        if (isServiceError(error) && error.status === 404) return null
        throw error
      }
    },
    enabled: contentId !== null && !isNew,
    staleTime: Infinity,
  })
  return data ?? { settings: {}, media: [], tag: null }
}

/** A slot of the content that is edited: what is stored, and what it is with the changes. */
export const useSlot = (id: string) => {
  const { contentId, isNew, draftOf } = useSlots()
  const stored = useStoredSlot(contentId, id, isNew(id))
  const draft = draftOf(id)
  const settings: JsonObject = { ...stored.settings, ...draft.settings }
  return { stored, draft, settings, media: draft.media ?? stored.media }
}
