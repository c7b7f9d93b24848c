/** What is done with the draft of a published object: save, publish, discard. */
import { Alert, Button, Group, List, Text, TextInput } from '@mantine/core'
import { useQueryClient, type InvalidateQueryFilters } from '@tanstack/react-query'
import { itemsIn } from '../../json.js'
import { distanceText } from '../../publication/zone-time.js'
import { useDateTimeText } from '../layout/date-time.js'
import { Dialog, DialogOpener } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { MissedNotice } from '../publication/missed-publication.js'
import { useInstanceTime } from '../publication/publication-status.js'
import { useInstance } from '../service/place.js'
import { isServiceError } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import type { Draft } from '../service/use-draft.js'
import { useSave, type SaveState } from '../service/use-save.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { SaveErrors } from './save-bar.js'

/** The path of the draft of an object below its collection. */
export const draftOf = (uuid: string): string => `${uuid}/draft`

/** Everything of an instance that is not of a draft: one that has ended cannot be read again. */
const withoutDrafts = (iid: number): InvalidateQueryFilters => ({
  queryKey: [iid],
  predicate: ({ queryKey }) => !queryKey.some((part) => part === 'draft' || String(part).endsWith('/draft')),
})

type NoticeProps = { readonly isDraft: boolean; readonly edit: (isDraft: boolean) => void }

/** Says whether the draft is edited, and leads to the other one. */
export const DraftNotice = ({ isDraft, edit }: NoticeProps) => {
  const { drafts } = useTexts()
  return (
    <Alert color="yellow">
      <Group justify="space-between">
        <Text size="sm">{isDraft ? drafts.isDraft : drafts.isPublished}</Text>
        <Button variant="default" size="xs" onClick={() => edit(!isDraft)}>
          {isDraft ? drafts.editPublished : drafts.edit}
        </Button>
      </Group>
    </Alert>
  )
}

type TimeProps = {
  readonly draft: Draft
  readonly fault: string | undefined
  readonly disabled: boolean
}

/** When the service publishes the draft, in the time zone of the instance. It is saved with the draft. */
export const DraftTime = ({ draft, fault, disabled }: TimeProps) => {
  const { drafts, locale } = useTexts()
  const { timezone } = useInstance()
  const now = useInstanceTime()
  const dateTimeText = useDateTimeText()
  const { publish_at: at = null } = draft.value
  return (
    <div data-faulty={fault === undefined ? undefined : true}>
      <MissedNotice missed={draft.stored['missed']} />
      <TextInput
        type="datetime-local"
        step={60}
        label={drafts.publishAt({ zone: timezone })}
        description={drafts.publishAtHelp}
        value={typeof at === 'string' ? at.slice(0, 16) : ''}
        onChange={({ currentTarget: { value } }) =>
          draft.set('publish_at', value === '' ? null : value.length === 16 ? `${value}:00` : value)
        }
        disabled={disabled}
        error={fault}
      />
      <Text size="sm" aria-live="polite">
        {typeof at === 'string' &&
          drafts.willBePublished({ when: dateTimeText(at), distance: distanceText(locale, now, at) })}
      </Text>
    </div>
  )
}

type SaveDraftProps = {
  readonly state: SaveState
  readonly disabled: boolean
  readonly onSave: () => void
}

/** Saves changes without publishing them. */
export const SaveDraftButton = ({ state, disabled, onSave }: SaveDraftProps) => {
  const { drafts } = useTexts()
  return (
    <>
      <Button variant="default" loading={state.isSaving} disabled={disabled} onClick={onSave}>
        {drafts.save}
      </Button>
      <SaveErrors {...state} />
    </>
  )
}

type ActionsProps = {
  /** That of the object. */
  readonly path: string
  readonly isBusy: boolean
  /** Saves what is not saved. Returns whether everything is. */
  readonly save: () => Promise<boolean>
  /** The draft has ended. */
  readonly onDone: () => void
}

/** Publishes the draft, or discards it. If the same was changed in the object, it asks whether to publish it anyway. */
export const DraftActions = ({ path, isBusy, save, onDone }: ActionsProps) => {
  const texts = useTexts()
  const { drafts } = texts
  const { api, iid } = useInstance()
  const queries = useQueryClient()
  const others = withoutDrafts(iid)
  const publishing = useSave(() => api.create(`${path}/draft/publish`, {}), null, others)
  const discarding = useAction(others)
  const { error } = publishing
  const isConflict = isServiceError(error) && error.code === 'draft_conflict'
  const publish = async (): Promise<void> => {
    if ((await save()) && (await publishing.save({}, null)) !== null) onDone()
  }
  /** The draft is based on the present version of the object. */
  const confirm = useAction(others)
  const publishAnyway = async (): Promise<void> => {
    const isConfirmed = await confirm.run(async () => {
      const [present] = itemsIn((await api.read(`${path}/versions`)).value)
      await api.change(`${path}/draft`, { based_on: present?.['version'] ?? null })
    })
    if (isConfirmed) await publish()
  }
  const discard = async (): Promise<void> => {
    if (!(await discarding.run(() => api.remove(`${path}/draft`)))) return
    await queries.invalidateQueries(others)
    onDone()
  }
  return (
    <>
      <Button
        variant="default"
        loading={publishing.isSaving}
        disabled={isBusy}
        onClick={() => void (isConflict ? publishAnyway() : publish())}
      >
        {isConflict ? drafts.publishAnyway : drafts.publish}
      </Button>
      <DialogOpener
        button={(open) => (
          <Button variant="default" disabled={isBusy} onClick={open}>
            {drafts.discard}
          </Button>
        )}
      >
        {(close) => (
          <Dialog
            title={drafts.discardTitle}
            onClose={close}
            isCautious
            buttons={
              <Button color="red" loading={discarding.isRunning} onClick={() => void discard()}>
                {drafts.discard}
              </Button>
            }
          >
            <Text>{drafts.discardText}</Text>
            {discarding.error !== null && <ErrorMessage error={discarding.error} />}
          </Dialog>
        )}
      </DialogOpener>
      {confirm.error !== null && <ErrorMessage error={confirm.error} />}
      {isConflict ? (
        <Alert color="yellow" role="alert" title={drafts.changedSince}>
          <List size="sm">
            {Object.keys(error.faults).map((name) => (
              <List.Item key={name}>{labelOf(texts, name)}</List.Item>
            ))}
          </List>
        </Alert>
      ) : (
        <SaveErrors {...publishing} />
      )}
    </>
  )
}
