import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { mediumToSend, slotIdsIn } from '../../content/slot-media.js'
import { CurrentSlotEditing } from '../markup/slot-editing.js'
import type { Parts, UseParts } from '../resource/use-editor.js'
import { useUploads, type UploadState } from '../library/use-uploads.js'
import { useInstance, usePermission } from '../service/place.js'
import { isServiceError } from '../service/session.js'
import { FailedUploads } from './failed-uploads.js'
import { mediaModel } from './media-model.js'
import { SlotBlock } from './slot-block.js'
import { SlotPreview } from './slot-preview.js'
import { CurrentSlots, unchanged, type SlotDraft } from './slots.js'

/** A random UUID, also on pages that are not secure, where `crypto.randomUUID` is absent. */
const randomId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4] ?? '8'
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

const isChanged = ({ settings, media }: SlotDraft): boolean =>
  media !== null || Object.keys(settings).length > 0

/**
 * The slots of content, which are saved after its body: a slot can be written only when its tag is in the stored body.
 * What cannot be saved remains in the editor, with the reason.
 */
export const useSlotParts: UseParts = (contentId): Parts => {
  const { api, iid } = useInstance()
  const queries = useQueryClient()
  const [drafts, setDrafts] = useState<Readonly<Record<string, SlotDraft>>>({})
  const [created, setCreated] = useState<ReadonlySet<string>>(new Set())
  const change = useCallback(
    (id: string, changes: Partial<SlotDraft>) =>
      setDrafts((current) => ({ ...current, [id]: { ...unchanged, ...current[id], ...changes } })),
    [],
  )
  const discard = useCallback(
    (id: string) =>
      setDrafts((current) => {
        const { [id]: _discarded, ...rest } = current
        return rest
      }),
    [],
  )
  /** The slots of pictures that were pasted into the text. */
  const slotOf = useRef(new Map<File, string>())
  const addPicture = (id: string, uuid: string | null): void =>
    setDrafts((current) => {
      const draft = current[id] ?? unchanged
      const medium = { type: 'file', image_uuid: uuid, title: null }
      return { ...current, [id]: { ...draft, media: [...(draft.media ?? []), medium] } }
    })
  const queue = useUploads((done) => {
    for (const { file, uuid } of done) addPicture(slotOf.current.get(file) ?? '', uuid)
  })
  const currentQueue = useRef(queue)
  currentQueue.current = queue
  const { uploads } = queue
  const uploadsFor = useCallback(
    (isShown: (id: string | undefined, upload: UploadState) => boolean) => ({
      ...currentQueue.current,
      uploads: uploads.filter((upload) => isShown(slotOf.current.get(upload.file), upload)),
    }),
    [uploads],
  )
  const failedSlots = useMemo(
    () =>
      new Set(
        [...slotOf.current.values()].filter((id) => {
          const { uploads: own } = uploadsFor((each) => each === id)
          const hasFailed = own.length > 0 && own.every(({ phase }) => phase === 'failed')
          return hasFailed && !isChanged(drafts[id] ?? unchanged)
        }),
      ),
    [uploadsFor, drafts],
  )
  const newSlot = useCallback((pictures: readonly File[]): string => {
    const id = randomId()
    setCreated((current) => new Set([...current, id]))
    for (const picture of pictures) slotOf.current.set(picture, id)
    return id
  }, [])
  const slots = useMemo(
    () => ({
      contentId,
      isNew: (id: string) => created.has(id),
      draftOf: (id: string) => drafts[id] ?? unchanged,
      change,
      discard,
      uploadsOf: (id: string) =>
        uploadsFor((each, { phase }) => each === id && phase !== 'done' && !failedSlots.has(id)),
      failedUploads: uploadsFor((each) => each !== undefined && failedSlots.has(each)),
      retryInNewSlot: (upload: UploadState): string => {
        const id = newSlot([upload.file])
        currentQueue.current.retry(upload)
        return id
      },
    }),
    [contentId, created, uploadsFor, failedSlots, newSlot, drafts, change, discard],
  )
  const canUpload = usePermission('files', 'create')
  const createSlot = useCallback(
    (pictures: readonly File[] = []): string => {
      const id = newSlot(pictures)
      if (pictures.length > 0) currentQueue.current.add(pictures)
      return id
    },
    [newSlot],
  )
  const editing = useMemo(
    () => ({
      Block: SlotBlock,
      Preview: SlotPreview,
      createSlot,
      canUpload,
      failedSlots,
      Failed: FailedUploads,
    }),
    [createSlot, canUpload, failedSlots],
  )

  const saveSlot = async (
    partsOf: string,
    id: string,
    { settings, media, tag }: SlotDraft,
  ): Promise<void> => {
    const path = `content/${partsOf}/slots/${id}`
    if (Object.keys(settings).length > 0) await api.change(path, settings)
    change(id, { settings: {} })
    if (media === null) return
    const items = media.map((medium) => mediumToSend(mediaModel.fields, medium))
    await api.replace(`${path}/media`, { items }, tag)
  }

  const save = async (partsOf: string, { content: body }: JsonObject): Promise<boolean> => {
    const placed = new Set(typeof body === 'string' ? slotIdsIn(body) : [])
    setCreated(new Set())
    // A picture that is uploaded later would replace the media that are stored then.
    queue.clear()
    let hasSavedAll = true
    for (const [id, draft] of Object.entries(drafts)) {
      if (!placed.has(id) || !isChanged(draft)) {
        discard(id)
        continue
      }
      try {
        await saveSlot(partsOf, id, draft)
        await queries.invalidateQueries({ queryKey: [iid, 'content', partsOf, 'slots', id] })
        discard(id)
      } catch (error) {
        hasSavedAll = false
        change(id, { error })
        if (!isServiceError(error)) break
      }
    }
    return hasSavedAll
  }

  return {
    isChanged: Object.values(drafts).some(isChanged),
    isBusy: queue.isRunning,
    save,
    reset: () => setDrafts({}),
    wrapForm: (form) => (
      <CurrentSlots value={slots}>
        <CurrentSlotEditing value={editing}>{form}</CurrentSlotEditing>
      </CurrentSlots>
    ),
  }
}
