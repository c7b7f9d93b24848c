import { useEffect, useState, type ReactNode } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import type { ResourceModel } from '@publishing-service/dashboard'
import { suggestedUrlname } from '../../content/suggested-urlname.js'
import { isSame } from '../../json.js'
import { useSiteAddress } from '../publication/site-link.js'
import type { Versioned } from '../service/api.js'
import { hasTrash, useInstance, usePermission } from '../service/place.js'
import { isServiceError } from '../service/session.js'
import { titleFieldOf } from '../service/titles.js'
import { navigateSaved, useUnsaved } from '../service/unsaved.js'
import { useDraft, type Draft } from '../service/use-draft.js'
import { usePresence } from '../service/use-presence.js'
import { useSave, type SaveState } from '../service/use-save.js'
import { draftText, useTexts } from '../texts/texts.js'
import { draftOf } from './draft-actions.js'
import { useFields } from './resource-form.js'

/** What is edited on the page of an object and stored elsewhere, such as the media of its slots. */
export type Parts = {
  readonly isChanged: boolean
  /** Whether they cannot be saved yet. */
  readonly isBusy: boolean
  /** Saves the changes after those of the object, or of its draft. Returns whether all of them are saved. */
  readonly save: (partsOf: string, saved: JsonObject) => Promise<boolean>
  readonly reset: () => void
  /** The form, in which the parts are edited. */
  readonly wrapForm: (form: ReactNode) => ReactNode
}

/** A hook that has the parts of an object, or of its draft, by their path below the collection; null before it is created. */
export type UseParts = (partsOf: string | null) => Parts

const noParts: Parts = {
  isChanged: false,
  isBusy: false,
  save: () => Promise.resolve(true),
  reset: () => undefined,
  wrapForm: (form) => form,
}
const useNoParts: UseParts = () => noParts

/** Shows the first field whose value was not accepted. */
const useFirstFault = (faults: SaveState['faults']): void => {
  useEffect(() => {
    const field = Object.keys(faults).length === 0 ? null : document.querySelector('[data-faulty]')
    field?.scrollIntoView({ block: 'center' })
    field?.querySelector<HTMLElement>('input, textarea, select, button')?.focus({ preventScroll: true })
  }, [faults])
}

/** The draft of an object that is published, or was when the draft was made. */
export type Drafting = {
  /** Whether the draft is edited. */
  readonly isDraft: boolean
  /** Begins anew with the draft, or with the object. */
  readonly edit: (isDraft: boolean) => void
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined

/** The draft of a new object, whose urlname follows its title until it is typed. */
const withUrlname = (draft: Draft, titleField: string | undefined): Draft => ({
  ...draft,
  set: (name, value) => {
    const { [titleField ?? '']: title, urlname = null } = draft.value
    draft.set(name, value)
    const isSuggested = urlname === null || (typeof title === 'string' && urlname === suggestedUrlname(title))
    if (name === titleField && isSuggested)
      draft.set('urlname', typeof value === 'string' ? suggestedUrlname(value) : null)
  },
})

/** The object that was created last, until its page is left: it may have been published. */
let lastCreated: string | null = null

/** The object of a page, and how it is saved. */
export const useEditor = (
  resource: ResourceModel,
  given: string | null,
  loaded: Versioned,
  drafting: Drafting | undefined,
  useParts: UseParts = useNoParts,
) => {
  const texts = useTexts()
  const { api, iid } = useInstance()
  const { collection, segments, variant } = resource
  /** The UUID of an object that was created on this page, and whose parts are not saved. */
  const [created, setCreated] = useState<string | null>(null)
  const uuid = given ?? created
  const isNew = uuid === null
  const isDraft = drafting?.isDraft === true
  const partsOf = uuid === null ? null : isDraft ? draftOf(uuid) : uuid
  const parts = useParts(partsOf)
  const [version, setVersion] = useState(loaded)
  const stored = isNew ? null : version.value
  const isAllowed = usePermission(collection, isNew ? 'create' : 'update', stored)
  const presence = usePresence(hasTrash(collection) && isAllowed && !isNew ? `${segments}/${uuid}` : null)
  const typed = useDraft(version.value)
  const draft = isNew ? withUrlname(typed, titleFieldOf(collection)) : typed
  const path = `${segments}/${partsOf ?? ''}`
  const fields = useFields(resource.fields, variant, draft.value)
  const write = async (changes: JsonObject, tag: string | null): Promise<Versioned> => {
    if (isNew) return api.create(segments, changes)
    // If only parts are changed, the object is not sent.
    if (Object.keys(changes).length === 0) return version
    try {
      return await api.change(path, changes, tag)
    } catch (error) {
      if (!isDraft || !isServiceError(error) || error.status !== 412) throw error
      // A change of a part, such as a tag, changes the entity tag of the draft, and is no conflict with these changes.
      const current = await api.read(path)
      const isUnchanged = Object.keys(changes).every((name) =>
        isSame(current.value[name], version.value[name]),
      )
      if (!isUnchanged) throw error
      return api.change(path, changes, current.tag)
    }
  }
  const saving = useSave(write, isNew ? null : () => api.read(path))
  useFirstFault(saving.faults)
  const addressOf = useSiteAddress()
  /** Where the website shows what the last save published. */
  const [published, setPublished] = useState(() =>
    given !== null && given === lastCreated ? addressOf(loaded.value) : null,
  )
  useEffect(
    () => () => {
      if (given !== null) lastCreated = null
    },
    [given],
  )
  const isChanged = draft.isChanged || parts.isChanged
  useUnsaved(isChanged && isAllowed, () => draftText(texts, draft.changes))

  /** Returns whether everything is saved. */
  const save = async (changes: JsonObject, tag: string | null): Promise<boolean> => {
    const saved = await saving.save(changes, tag)
    if (saved === null) return false
    const id = uuid ?? String(saved.value['uuid'])
    const sent = { ...version.value, ...changes }
    const hasSavedParts = await parts.save(partsOf ?? id, sent)
    if (isNew && hasSavedParts) {
      draft.reset()
      lastCreated = id
      navigateSaved(`/${iid}/${collection}/${id}`)
      return true
    }
    setCreated(id)
    const current = await api
      .read(`${segments}/${partsOf ?? id}`)
      .catch(() => ({ value: sent, tag: saved.tag }))
    setVersion(current)
    setPublished(addressOf(version.value) === null ? addressOf(current.value) : null)
    // Also those for which the saved version was chosen.
    draft.dropSaved(isNew ? changes : draft.changes)
    return hasSavedParts
  }

  const companions = (): JsonObject =>
    Object.fromEntries(
      fields.flatMap(({ name, sentWith }) =>
        sentWith !== undefined && Object.hasOwn(draft.changes, name)
          ? [[sentWith, draft.value[sentWith] ?? null]]
          : [],
      ),
    )

  const changesToSend = (): JsonObject =>
    isNew
      ? Object.fromEntries(
          fields.flatMap(({ name }) => (isSet(draft.value[name]) ? [[name, draft.value[name] ?? null]] : [])),
        )
      : { ...companions(), ...draft.changes }

  const savingDraft = useSave((changes) => api.change(`${path}/draft`, changes), null)
  /** Saves the changes of a published object in its draft, and edits that. */
  const saveDraft = async (): Promise<void> => {
    if (uuid === null || drafting === undefined) return
    const changes = changesToSend()
    if ((await savingDraft.save(changes, null)) === null) return
    if (await parts.save(draftOf(uuid), { ...version.value, ...changes })) drafting.edit(true)
  }

  /** Leaves everything as it is stored. */
  const reset = (): void => {
    draft.reset()
    parts.reset()
  }

  return {
    uuid,
    isNew,
    isDraft,
    partsOf,
    parts,
    version,
    setVersion,
    stored,
    isAllowed,
    presence,
    draft,
    saving,
    savingDraft,
    published,
    isChanged,
    /** Saves what was changed, with these changes. */
    saveWith: (changes: JsonObject = {}) => save({ ...changesToSend(), ...changes }, version.tag),
    /** Saves these changes in place of a version that was saved meanwhile. */
    saveOver: save,
    saveDraft,
    reset,
  }
}

export type EditorState = ReturnType<typeof useEditor>
