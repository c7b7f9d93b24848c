import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { JsonObject } from '@publishing-service/domain'
import { lostCharacters } from '../../content/lost-characters.js'
import { mediaIn } from '../../content/slot-media.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { ConflictAlert } from '../resource/conflict-alert.js'
import { DiscardButton } from '../resource/discard-button.js'
import { SaveErrors } from '../resource/save-bar.js'
import type { Versioned } from '../service/api.js'
import { useInstance } from '../service/instance-context.js'
import { useUnsaved } from '../service/unsaved.js'
import { useDraft, type Draft } from '../service/use-draft.js'
import { useSave, type SaveState } from '../service/use-save.js'

/** A list that is edited. */
export type EditedList = {
  readonly draft: Draft
  readonly items: readonly JsonObject[]
  readonly setItems: (items: readonly JsonObject[]) => void
  /** Appends items, and reads the objects at these paths, so that they are shown. */
  readonly add: (items: readonly JsonObject[], paths: readonly string[]) => void
  /** The objects that were appended, by UUID. */
  readonly added: Readonly<Record<string, JsonObject>>
  readonly faults: SaveState['faults']
}

type ListProps = {
  /** The path of the list below the instance. */
  readonly path: string
  /** Reads the list with all `items`, and its entity tag. */
  readonly read: () => Promise<Versioned>
  /** What is sent to save the list. */
  readonly toSend: (list: JsonObject, items: readonly JsonObject[]) => JsonObject
  readonly isAllowed: boolean
  readonly saveText: string
  readonly saveLabel?: string
  readonly children: (list: EditedList) => ReactNode
}

const Edited = ({
  path,
  read,
  toSend,
  isAllowed,
  saveText,
  saveLabel,
  children,
  loaded,
}: ListProps & { readonly loaded: Versioned }) => {
  const { api } = useInstance()
  const [version, setVersion] = useState(loaded)
  const [added, setAdded] = useState<Readonly<Record<string, JsonObject>>>({})
  const [addError, setAddError] = useState<unknown>(null)
  const draft = useDraft(version.value)
  const saving = useSave((body, tag) => api.replace(path, body, tag), read)
  const { conflict } = saving
  useUnsaved(draft.isChanged)
  const items = mediaIn(draft.value)
  const setItems = (next: readonly JsonObject[]) => draft.set('items', next)
  const save = async (tag: string | null) => {
    if ((await saving.save(toSend(draft.value, items), tag)) === null) return
    setVersion(await read())
    draft.reset()
  }
  const add = async (further: readonly JsonObject[], paths: readonly string[]) => {
    setAddError(null)
    setItems([...items, ...further])
    try {
      const found = await Promise.all(paths.map((each) => api.read(each)))
      const byId = Object.fromEntries(found.map(({ value }) => [String(value['uuid']), value]))
      setAdded((current) => ({ ...current, ...byId }))
    } catch (error) {
      setAddError(error)
    }
  }
  return (
    <>
      {children({
        draft,
        items,
        setItems,
        add: (...further) => void add(...further),
        added,
        faults: saving.faults,
      })}
      {addError !== null && <ErrorMessage error={addError} />}
      {conflict === null ? (
        <SaveErrors {...saving} />
      ) : (
        <ConflictAlert
          onKeep={() => void save(conflict.tag)}
          onDiscard={() => {
            setVersion(conflict)
            draft.reset()
            saving.clear()
          }}
        />
      )}
      {isAllowed && (
        <Group>
          <Button
            onClick={() => void save(version.tag)}
            disabled={!draft.isChanged}
            loading={saving.isSaving}
            aria-label={saveLabel}
          >
            {saveText}
          </Button>
          <DiscardButton lost={lostCharacters(draft)} disabled={!draft.isChanged} onDiscard={draft.reset} />
        </Group>
      )}
    </>
  )
}

/** An ordered list that another object has. It is read, edited and saved as a whole. */
export const SavedList = (props: ListProps) => {
  const { iid } = useInstance()
  const query = useQuery({ queryKey: [iid, props.path], queryFn: props.read, staleTime: Infinity, gcTime: 0 })
  return <Loaded query={query}>{(loaded) => <Edited {...props} loaded={loaded} />}</Loaded>
}
