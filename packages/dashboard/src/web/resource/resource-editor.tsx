import { Alert, Anchor, Flex, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import type { ResourceModel } from '@publishing-service/dashboard'
import { HistoryButton } from '../history/history-button.js'
import { Loaded } from '../layout/messages.js'
import { PresenceNotice } from '../layout/presence-notice.js'
import { PreviewButton } from '../publication/preview-button.js'
import { ReviewPanel } from '../publication/review-panel.js'
import { SiteLink, useSiteAddress } from '../publication/site-link.js'
import type { Versioned } from '../service/api.js'
import { hasTrash, isAtLeast, useInstance, usePermission } from '../service/place.js'
import { lostCharacters } from '../../content/lost-characters.js'
import { suggestedUrlname } from '../../content/suggested-urlname.js'
import { isSame } from '../../json.js'
import { listPath } from '../service/list-state.js'
import { isServiceError } from '../service/session.js'
import { titleFieldOf, titleIn } from '../service/titles.js'
import { navigateSaved, useUnsaved } from '../service/unsaved.js'
import { useDraft, type Draft } from '../service/use-draft.js'
import { useObject } from '../service/use-object.js'
import { usePresence } from '../service/use-presence.js'
import { useSave, type SaveState } from '../service/use-save.js'
import { PageTitle } from '../layout/page-title.js'
import { draftText, useTexts, wordOf } from '../texts/texts.js'
import { predicatesOf, TagsPanel } from '../structure/tags-panel.js'
import { ConflictDialog } from './conflict-dialog.js'
import { DeleteButton } from './delete-button.js'
import { DraftActions, DraftNotice, draftOf, DraftTime, SaveDraftButton } from './draft-actions.js'
import { ResourceForm, useFields } from './resource-form.js'
import { SaveBar } from './save-bar.js'

export type SidePanelProps = {
  readonly uuid: string
  /** Where the parts of the object are, below its collection: its UUID, or the path of its draft. */
  readonly partsOf: string
  readonly value: JsonObject
  /** Whether the user may change the object. */
  readonly isAllowed: boolean
}

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

type EditorProps = {
  readonly resource: ResourceModel
  /** Null for a new object. */
  readonly uuid: string | null
  readonly loaded: Versioned
  /** What a resource shows above its form. */
  readonly header?: ComponentType<{ readonly value: JsonObject }>
  /** What a resource shows next to its fields. */
  readonly sidePanel?: ComponentType<SidePanelProps>
  readonly useParts?: UseParts
  /** Begins anew with the object as it was read after an earlier version was restored; absent for a new object. */
  readonly onRestored?: () => void
  /** Whether it shows a restored version. */
  readonly isRestored?: boolean
  readonly drafting?: Drafting
}

/** The draft of an object that is published, or was when the draft was made. */
type Drafting = {
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

const Editor = ({
  resource,
  uuid: given,
  loaded,
  header: Header,
  sidePanel: SidePanel,
  useParts = useNoParts,
  onRestored,
  isRestored = false,
  drafting,
}: EditorProps) => {
  const texts = useTexts()
  const { api, iid, role } = useInstance()
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
  const hasHistory = usePermission(collection, 'history', stored)
  const canDelete = usePermission(collection, 'remove', stored)
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

  const title = titleIn(draft.value) ?? texts.list.untitled
  const kind = variant === undefined ? null : draft.value[variant]
  const kindName = wordOf(texts, typeof kind === 'string' ? kind : resource.name)
  const { conflict } = saving
  const address = stored === null || isDraft ? null : addressOf(stored)
  const mayDraft = drafting !== undefined && !isDraft && stored?.['state'] === 'published'
  const reviewed = resource.about.find(({ name }) => name === 'review')
  const canReview =
    reviewed !== undefined &&
    isAtLeast(role, reviewed.visibleTo ?? role) &&
    !isDraft &&
    stored?.['state'] === 'draft'
  const tagPredicates = predicatesOf(resource, version.value)
  return (
    <Stack maw={1280}>
      <Anchor component={Link} href={listPath(`/${iid}/${collection}`)} size="sm">
        {texts.form.back}
      </Anchor>
      <Flex direction={{ base: 'column', sm: 'row' }} justify="space-between" gap="sm">
        <PageTitle>{isNew ? texts.list.createOf({ what: kindName }) : title}</PageTitle>
        <Group justify="flex-end" gap="sm" flex={{ sm: 'none' }}>
          {address !== null && <SiteLink address={address} />}
          {uuid !== null && drafting !== undefined && <PreviewButton path={`${segments}/${uuid}`} />}
          {given !== null && onRestored !== undefined && hasHistory && !isDraft && (
            <HistoryButton resource={resource} uuid={given} loaded={version} onRestored={onRestored} />
          )}
          {uuid !== null && isAllowed && canDelete && (
            <DeleteButton
              title={texts.form.deleteTitle({ title })}
              collection={collection}
              segments={segments}
              uuids={[uuid]}
              onDeleted={() => {
                presence.setDeleted()
                draft.reset()
                parts.reset()
                navigateSaved(listPath(`/${iid}/${collection}`))
              }}
            />
          )}
        </Group>
      </Flex>
      {!isAllowed && <Alert>{texts.form.readOnly}</Alert>}
      <PresenceNotice others={presence.others} />
      {drafting !== undefined && (isDraft || stored?.['has_draft'] === true) && <DraftNotice {...drafting} />}
      {Header !== undefined && uuid !== null && <Header value={version.value} />}
      {parts.wrapForm(
        <ResourceForm
          fields={resource.fields}
          variant={variant}
          draft={draft}
          faults={{ ...savingDraft.faults, ...saving.faults }}
          isNew={isNew}
          disabled={!isAllowed}
          publication={resource.publication}
          aside={
            uuid === null ? null : (
              <>
                {isDraft && (
                  <DraftTime draft={draft} fault={saving.faults['publish_at']} disabled={!isAllowed} />
                )}
                {canReview && (
                  <ReviewPanel
                    key={String(stored?.['review_at'])}
                    value={version.value}
                    faults={saving.faults}
                    isAllowed={isAllowed}
                    isSaving={saving.isSaving}
                    onSend={(review) => void save({ ...changesToSend(), ...review }, version.tag)}
                  />
                )}
                {tagPredicates.length > 0 && (
                  <TagsPanel
                    resource={resource}
                    uuid={uuid}
                    draft={isDraft ? draftOf(uuid) : null}
                    predicates={tagPredicates}
                    isAllowed={isAllowed}
                  />
                )}
                {SidePanel !== undefined && (
                  <SidePanel
                    uuid={uuid}
                    partsOf={partsOf ?? uuid}
                    value={version.value}
                    isAllowed={isAllowed}
                  />
                )}
              </>
            )
          }
        />,
      )}
      {isAllowed && (
        <SaveBar
          isChanged={isChanged}
          isBusy={parts.isBusy}
          lost={parts.isChanged ? Infinity : lostCharacters(draft)}
          state={{ ...saving, isSaved: saving.isSaved || isRestored }}
          isNew={isNew}
          published={published}
          saveLabel={isDraft ? texts.drafts.save : undefined}
          onSave={() => void save(changesToSend(), version.tag)}
          onDiscard={() => {
            draft.reset()
            parts.reset()
            saving.clear()
          }}
        >
          {mayDraft && (
            <SaveDraftButton
              state={savingDraft}
              disabled={parts.isBusy || !isChanged}
              onSave={() => void saveDraft()}
            />
          )}
          {isDraft && uuid !== null && (
            <DraftActions
              path={`${segments}/${uuid}`}
              isBusy={parts.isBusy || saving.isSaving}
              save={async () => !isChanged || (await save(changesToSend(), version.tag))}
              onDone={() => {
                draft.reset()
                parts.reset()
                drafting.edit(false)
              }}
            />
          )}
        </SaveBar>
      )}
      {conflict !== null && (
        <ConflictDialog
          fields={resource.fields}
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

type Special = Pick<EditorProps, 'header' | 'sidePanel' | 'useParts'>

const NewObject = ({ resource, ...special }: Special & { readonly resource: ResourceModel }) => {
  const [sent] = useSearchParams()
  const initial = Object.fromEntries(
    resource.fields.map(({ name, initial: value }) => [name, sent.get(name) ?? value]),
  )
  return <Editor resource={resource} uuid={null} loaded={{ value: initial, tag: null }} {...special} />
}

type StoredProps = Special & { readonly resource: ResourceModel; readonly uuid: string }

type LoadedProps = StoredProps & { readonly loaded: Versioned }

/** The page of the draft of an object. */
const DraftOfObject = ({ resource, uuid, edit, ...special }: StoredProps & Pick<Drafting, 'edit'>) => {
  const { api, iid } = useInstance()
  const query = useQuery({
    queryKey: [iid, resource.collection, uuid, 'draft'],
    queryFn: () => api.read(`${resource.segments}/${draftOf(uuid)}`),
    // One that is made later is another.
    gcTime: 0,
  })
  return (
    <Loaded query={query}>
      {(loaded) => (
        <Editor
          resource={resource}
          uuid={uuid}
          loaded={loaded}
          drafting={{ isDraft: true, edit }}
          {...special}
        />
      )}
    </Loaded>
  )
}

/** The page of an object, which edits its draft if it has one. */
const ObjectOrDraft = ({ loaded, ...props }: LoadedProps) => {
  const { has_draft: hasDraft } = loaded.value
  const isAllowed = usePermission(props.resource.collection, 'update', loaded.value)
  const [isDraft, setDraft] = useState(isAllowed && hasDraft === true)
  const [restorations, setRestorations] = useState(0)
  if (isDraft) return <DraftOfObject {...props} edit={setDraft} />
  return (
    <Editor
      key={restorations}
      loaded={loaded}
      onRestored={() => setRestorations((count) => count + 1)}
      isRestored={restorations > 0}
      {...(!isAllowed || hasDraft === undefined ? {} : { drafting: { isDraft, edit: setDraft } })}
      {...props}
    />
  )
}

const StoredObject = (props: StoredProps) => (
  <Loaded query={useObject(props.resource.collection, props.uuid)}>
    {(loaded) => <ObjectOrDraft loaded={loaded} {...props} />}
  </Loaded>
)

type ObjectProps = Special & Pick<EditorProps, 'resource' | 'uuid'>

/** The page of one object: a form with the attributes of its resource. */
export const ResourceEditor = ({ uuid, ...props }: ObjectProps) =>
  uuid === null ? <NewObject {...props} /> : <StoredObject {...props} uuid={uuid} />
