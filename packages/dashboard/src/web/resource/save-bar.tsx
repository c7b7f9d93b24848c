import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useErrorText } from '../layout/messages.js'
import { SiteLink } from '../publication/site-link.js'
import type { SaveState } from '../service/use-save.js'
import { useTexts } from '../texts/texts.js'
import { FaultList } from '../fields/item-dialog.js'
import { DiscardButton } from './discard-button.js'

/** What the service did not accept. */
export const SaveErrors = ({ error, faults }: SaveState) => {
  const texts = useTexts()
  const textOf = useErrorText()
  if (error === null) return null
  return (
    <Alert color="red" role="alert" title={texts.form.failed}>
      {Object.keys(faults).length === 0 ? textOf(error) : <FaultList faults={faults} />}
    </Alert>
  )
}

type BarProps = {
  readonly isChanged: boolean
  /** Whether something is still being uploaded. */
  readonly isBusy?: boolean
  /** The characters that are lost if the changes are discarded. */
  readonly lost: number
  readonly state: SaveState
  readonly isNew: boolean
  /** Where the website shows what the last save published. */
  readonly published?: string | null
  /** The text of the first button, if it does not save the object. */
  readonly saveLabel?: string | undefined
  /** Further buttons. */
  readonly children?: ReactNode
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** Save and discard, with what the service did not accept, at the bottom of the window. */
export const SaveBar = ({
  isChanged,
  isBusy = false,
  lost,
  state,
  isNew,
  published = null,
  saveLabel,
  children,
  onSave,
  onDiscard,
}: BarProps) => {
  const { form, publication } = useTexts()
  const { isSaving, isSaved } = state
  return (
    <Stack className="actions-bar" gap="xs">
      <SaveErrors {...state} />
      <Group gap="xs">
        <Button onClick={onSave} loading={isSaving} disabled={isBusy || (!isChanged && !isNew)}>
          {saveLabel ?? (isNew ? form.create : form.save)}
        </Button>
        {children}
        <DiscardButton lost={lost} disabled={!isChanged || isSaving} onDiscard={onDiscard} />
        <Text size="sm" c="dimmed">
          {isChanged ? form.unsaved : isSaved ? form.saved : ''}
        </Text>
        {published !== null && !isChanged && (
          <>
            <Text size="sm">{publication.isPublicNow}</Text>
            <SiteLink address={published} />
          </>
        )}
      </Group>
    </Stack>
  )
}
