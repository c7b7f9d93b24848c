import { Alert, Anchor, Flex, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ComponentType } from 'react'
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
import { isAtLeast, useInstance, usePermission } from '../service/place.js'
import { lostCharacters } from '../../content/lost-characters.js'
import { listPath } from '../service/list-state.js'
import { titleIn } from '../service/titles.js'
import { navigateSaved } from '../service/unsaved.js'
import { useObject } from '../service/use-object.js'
import { PageTitle } from '../layout/page-title.js'
import { useTexts, wordOf } from '../texts/texts.js'
import { predicatesOf, TagsPanel } from '../structure/tags-panel.js'
import { ConflictDialog } from './conflict-dialog.js'
import { DeleteButton } from './delete-button.js'
import { DraftActions, DraftNotice, draftOf, DraftTime, SaveDraftButton } from './draft-actions.js'
import { ResourceForm } from './resource-form.js'
import { SaveBar } from './save-bar.js'
import { useEditor, type Drafting, type EditorState, type UseParts } from './use-editor.js'

export type SidePanelProps = {
  readonly uuid: string
  /** Where the parts of the object are, below its collection: its UUID, or the path of its draft. */
  readonly partsOf: string
  readonly value: JsonObject
  /** Whether the user may change the object. */
  readonly isAllowed: boolean
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

type HeadProps = Pick<EditorProps, 'resource' | 'onRestored' | 'drafting'> & {
  /** The object that the page is of; null for a new object. */
  readonly given: string | null
  readonly editor: EditorState
}

/** The title, and what can be done with the whole object. */
const EditorHead = ({ resource, given, onRestored, drafting, editor }: HeadProps) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const { collection, segments, variant } = resource
  const { uuid, isNew, isDraft, stored, draft, version } = editor
  const hasHistory = usePermission(collection, 'history', stored)
  const canDelete = usePermission(collection, 'remove', stored)
  const addressOf = useSiteAddress()
  const title = titleIn(draft.value) ?? texts.list.untitled
  const kind = variant === undefined ? null : draft.value[variant]
  const kindName = wordOf(texts, typeof kind === 'string' ? kind : resource.name)
  const address = stored === null || isDraft ? null : addressOf(stored)
  return (
    <Flex direction={{ base: 'column', sm: 'row' }} justify="space-between" gap="sm">
      <PageTitle>{isNew ? texts.list.createOf({ what: kindName }) : title}</PageTitle>
      <Group justify="flex-end" gap="sm" flex={{ sm: 'none' }}>
        {address !== null && <SiteLink address={address} />}
        {uuid !== null && drafting !== undefined && <PreviewButton path={`${segments}/${uuid}`} />}
        {given !== null && onRestored !== undefined && hasHistory && !isDraft && (
          <HistoryButton resource={resource} uuid={given} loaded={version} onRestored={onRestored} />
        )}
        {uuid !== null && editor.isAllowed && canDelete && (
          <DeleteButton
            title={texts.form.deleteTitle({ title })}
            collection={collection}
            segments={segments}
            uuids={[uuid]}
            onDeleted={() => {
              editor.presence.setDeleted()
              editor.reset()
              navigateSaved(listPath(`/${iid}/${collection}`))
            }}
          />
        )}
      </Group>
    </Flex>
  )
}

type AsideProps = Pick<EditorProps, 'resource' | 'sidePanel'> & {
  readonly uuid: string
  readonly editor: EditorState
}

/** What is next to the fields of a stored object. */
const EditorAside = ({ resource, sidePanel: SidePanel, uuid, editor }: AsideProps) => {
  const { role } = useInstance()
  const { isDraft, stored, version, saving, isAllowed, draft } = editor
  const reviewed = resource.about.find(({ name }) => name === 'review')
  const canReview =
    reviewed !== undefined &&
    isAtLeast(role, reviewed.visibleTo ?? role) &&
    !isDraft &&
    stored?.['state'] === 'draft'
  const tagPredicates = predicatesOf(resource, version.value)
  return (
    <>
      {isDraft && <DraftTime draft={draft} fault={saving.faults['publish_at']} disabled={!isAllowed} />}
      {canReview && (
        <ReviewPanel
          key={String(stored?.['review_at'])}
          value={version.value}
          faults={saving.faults}
          isAllowed={isAllowed}
          isSaving={saving.isSaving}
          onSend={(review) => void editor.saveWith(review)}
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
        <SidePanel uuid={uuid} partsOf={editor.partsOf ?? uuid} value={version.value} isAllowed={isAllowed} />
      )}
    </>
  )
}

type BarProps = Pick<EditorProps, 'resource' | 'drafting' | 'isRestored'> & { readonly editor: EditorState }

/** Saves the object, or its draft. */
const EditorBar = ({ resource: { segments }, drafting, isRestored = false, editor }: BarProps) => {
  const texts = useTexts()
  const { uuid, isNew, isDraft, stored, parts, draft, saving, savingDraft, isChanged } = editor
  const mayDraft = drafting !== undefined && !isDraft && stored?.['state'] === 'published'
  return (
    <SaveBar
      isChanged={isChanged}
      isBusy={parts.isBusy}
      lost={parts.isChanged ? Infinity : lostCharacters(draft)}
      state={{ ...saving, isSaved: saving.isSaved || isRestored }}
      isNew={isNew}
      published={editor.published}
      saveLabel={isDraft ? texts.drafts.save : undefined}
      onSave={() => void editor.saveWith()}
      onDiscard={() => {
        editor.reset()
        saving.clear()
      }}
    >
      {mayDraft && (
        <SaveDraftButton
          state={savingDraft}
          disabled={parts.isBusy || !isChanged}
          onSave={() => void editor.saveDraft()}
        />
      )}
      {isDraft && uuid !== null && (
        <DraftActions
          path={`${segments}/${uuid}`}
          isBusy={parts.isBusy || saving.isSaving}
          save={async () => !isChanged || (await editor.saveWith())}
          onDone={() => {
            editor.reset()
            drafting?.edit(false)
          }}
        />
      )}
    </SaveBar>
  )
}

const Editor = ({
  resource,
  uuid: given,
  loaded,
  header: Header,
  sidePanel,
  useParts,
  onRestored,
  isRestored,
  drafting,
}: EditorProps) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const editor = useEditor(resource, given, loaded, drafting, useParts)
  const { uuid, isNew, isDraft, parts, stored, version, isAllowed, draft, saving } = editor
  const { conflict } = saving
  return (
    <Stack maw={1280}>
      <Anchor component={Link} href={listPath(`/${iid}/${resource.collection}`)} size="sm">
        {texts.form.back}
      </Anchor>
      <EditorHead
        resource={resource}
        given={given}
        onRestored={onRestored}
        drafting={drafting}
        editor={editor}
      />
      {!isAllowed && <Alert>{texts.form.readOnly}</Alert>}
      <PresenceNotice others={editor.presence.others} />
      {drafting !== undefined && (isDraft || stored?.['has_draft'] === true) && <DraftNotice {...drafting} />}
      {Header !== undefined && uuid !== null && <Header value={version.value} />}
      {parts.wrapForm(
        <ResourceForm
          fields={resource.fields}
          variant={resource.variant}
          draft={draft}
          faults={{ ...editor.savingDraft.faults, ...saving.faults }}
          isNew={isNew}
          disabled={!isAllowed}
          publication={resource.publication}
          aside={
            uuid === null ? null : (
              <EditorAside resource={resource} sidePanel={sidePanel} uuid={uuid} editor={editor} />
            )
          }
        />,
      )}
      {isAllowed && (
        <EditorBar resource={resource} drafting={drafting} isRestored={isRestored} editor={editor} />
      )}
      {conflict !== null && (
        <ConflictDialog
          fields={resource.fields}
          changes={draft.changes}
          saved={conflict}
          onCancel={saving.clear}
          onApply={(changes) => void editor.saveOver(changes, conflict.tag)}
          onReload={() => {
            saving.clear()
            draft.reset()
            editor.setVersion(conflict)
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
