import { Alert, Anchor, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ComponentType } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { JsonObject } from '@publishing-service/domain'
import type { ResourceModel } from '@publishing-service/dashboard'
import { Loaded } from '../layout/messages.js'
import type { Versioned } from '../service/api.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { titleIn } from '../service/titles.js'
import { navigateSaved, useUnsaved } from '../service/unsaved.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { useTexts } from '../texts/texts.js'
import { ConflictDialog } from './conflict-dialog.js'
import { DeleteButton } from './delete-button.js'
import { ResourceForm, useFields } from './resource-form.js'
import { SaveBar } from './save-bar.js'

export type Above = ComponentType<{ readonly value: JsonObject }>

type EditorProps = {
  readonly resource: ResourceModel
  /** Null for a new object. */
  readonly uuid: string | null
  readonly loaded: Versioned
  /** What a resource shows above its form. */
  readonly above?: Above
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined

const Editor = ({ resource, uuid, loaded, above: Above }: EditorProps) => {
  const texts = useTexts()
  const { api, iid } = useInstance()
  const { collection, segments, variant } = resource
  const isNew = uuid === null
  const [version, setVersion] = useState(loaded)
  const stored = isNew ? null : version.value
  const isAllowed = usePermission(collection, isNew ? 'create' : 'update', stored)
  const canDelete = usePermission(collection, 'remove', stored)
  const draft = useDraft(version.value)
  const path = `${segments}/${uuid ?? ''}`
  const fields = useFields(resource.fields, variant, draft.value)
  const saving = useSave(
    (changes, tag) => (isNew ? api.create(segments, changes) : api.change(path, changes, tag)),
    isNew ? null : () => api.read(path),
  )
  useUnsaved(draft.isChanged && isAllowed)

  const save = async (changes: JsonObject, tag: string | null): Promise<void> => {
    const saved = await saving.save(changes, tag)
    if (saved === null) return
    if (isNew) {
      draft.reset()
      return navigateSaved(`/${iid}/${collection}/${String(saved.value['uuid'])}`)
    }
    const sent = { value: { ...version.value, ...changes }, tag: saved.tag }
    setVersion(await api.read(path).catch(() => sent))
    // Also those for which the saved version was chosen.
    draft.dropSaved(draft.changes)
  }

  const changesToSend = (): JsonObject =>
    isNew
      ? Object.fromEntries(
          fields.flatMap(({ name }) => (isSet(draft.value[name]) ? [[name, draft.value[name] ?? null]] : [])),
        )
      : draft.changes

  const title = titleIn(draft.value) ?? texts.list.untitled
  const { conflict } = saving
  return (
    <Stack maw={860}>
      <Anchor component={Link} href={`/${iid}/${collection}`} size="sm">
        {texts.form.back}
      </Anchor>
      <Title order={1} size="h2">
        {isNew ? texts.list.createOf(texts.collections[collection] ?? resource.name) : title}
      </Title>
      {!isAllowed && <Alert>{texts.form.readOnly}</Alert>}
      {Above !== undefined && uuid !== null && <Above value={version.value} />}
      <ResourceForm
        fields={resource.fields}
        variant={variant}
        draft={draft}
        faults={saving.faults}
        isNew={isNew}
        disabled={!isAllowed}
      />
      {isAllowed && (
        <SaveBar
          isChanged={draft.isChanged || isNew}
          state={saving}
          isNew={isNew}
          onSave={() => void save(changesToSend(), version.tag)}
          onDiscard={() => {
            draft.reset()
            saving.clear()
          }}
        >
          {!isNew && canDelete && (
            <DeleteButton
              path={path}
              title={title}
              onDeleted={() => {
                draft.reset()
                navigateSaved(`/${iid}/${collection}`)
              }}
            />
          )}
        </SaveBar>
      )}
      {conflict !== null && (
        <ConflictDialog
          changes={draft.changes}
          saved={conflict}
          onCancel={saving.clear}
          onApply={(changes) => void save(changes, conflict.tag)}
          onReload={() => {
            saving.clear()
            draft.reset()
            setVersion(conflict)
          }}
        />
      )}
    </Stack>
  )
}

const NewObject = ({ resource }: { readonly resource: ResourceModel }) => {
  const [sent] = useSearchParams()
  const initial = Object.fromEntries(
    resource.fields.map(({ name, initial: value }) => [name, sent.get(name) ?? value]),
  )
  return <Editor resource={resource} uuid={null} loaded={{ value: initial, tag: null }} />
}

type StoredProps = Pick<EditorProps, 'resource' | 'above'> & { readonly uuid: string }

const StoredObject = ({ resource, uuid, above }: StoredProps) => {
  const { api, iid } = useInstance()
  const query = useQuery({
    queryKey: [iid, resource.collection, uuid],
    queryFn: () => api.read(`${resource.segments}/${uuid}`),
  })
  return (
    <Loaded query={query}>
      {(loaded) => (
        <Editor resource={resource} uuid={uuid} loaded={loaded} {...(above === undefined ? {} : { above })} />
      )}
    </Loaded>
  )
}

type ObjectProps = Pick<EditorProps, 'resource' | 'uuid' | 'above'>

/** The page of one object: a form with the attributes of its resource. */
export const ResourceEditor = ({ resource, uuid, above }: ObjectProps) =>
  uuid === null ? (
    <NewObject resource={resource} />
  ) : (
    <StoredObject resource={resource} uuid={uuid} {...(above === undefined ? {} : { above })} />
  )
