import { useQuery } from '@tanstack/react-query'
import type { JsonObject } from '@publishing-service/domain'
import { mediaIn } from '../../content/slot-media.js'
import { useInstance } from '../service/place.js'
import { isServiceError } from '../service/session.js'
import { useSlots } from './slots-context.js'

/** What is stored of a slot: nothing before it is saved for the first time. */
const useStoredSlot = (contentId: string | null, id: string, isNew: boolean) => {
  const { api, iid } = useInstance()
  const path = `content/${contentId}/slots/${id}`
  const { data } = useQuery({
    queryKey: [iid, 'content', contentId, 'slots', id],
    queryFn: async () => {
      try {
        const [settings, media] = await Promise.all([api.read(path), api.read(`${path}/media`)])
        return { settings: settings.value, media: mediaIn(media.value), tag: media.tag }
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
