import { Alert, Button, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { DangerOpener, Dialog } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { hasTrash, useInstance } from '../service/place.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'
import { UsesList, useUses } from './uses.js'

type DialogProps = {
  readonly title: string
  readonly collection: string
  /** The path of the collection below the instance. */
  readonly segments: string
  /** The objects that are deleted. */
  readonly uuids: readonly string[]
  readonly onClose: () => void
  readonly onDeleted: () => void
  /** Names the objects, if the title does not. */
  readonly children?: ReactNode
}

/** Names where objects are used before they are deleted, one after another. What the public sees with them is confirmed once more. */
const DeleteDialog = ({ title, collection, uuids, segments, onClose, onDeleted, children }: DialogProps) => {
  const { form, library } = useTexts()
  const { api, iid } = useInstance()
  const uses = useUses(collection, uuids)
  const [isConfirmed, setConfirmed] = useState(false)
  const { error, isRunning, run } = useAction({
    queryKey: [iid],
    // A page of what was deleted is not read again before it is left.
    predicate: ({ queryKey }) => !uuids.some((uuid) => queryKey.includes(uuid)),
  })
  const removeAll = async () => {
    for (const uuid of uuids) await api.remove(`${segments}/${uuid}`)
  }
  const proceed = async () => {
    if (uses.isLive && !isConfirmed) return setConfirmed(true)
    if (!(await run(removeAll))) return
    onClose()
    onDeleted()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isCautious
      buttons={
        <Button color="red" loading={isRunning} disabled={uses.isLoading} onClick={() => void proceed()}>
          {isConfirmed ? form.deleteAnyway : form.delete}
        </Button>
      }
    >
      {children}
      {uses.groups.length > 0 && (
        <Text size="sm" fw={600}>
          {library.uses}
        </Text>
      )}
      <UsesList uses={uses} uuids={uuids} none="" />
      <Text size="sm">{hasTrash(collection) ? form.trashText : form.deleteText}</Text>
      {isConfirmed && (
        <Alert color="red" role="alert">
          {form.deleteUsed}
        </Alert>
      )}
      {error !== null && <ErrorMessage error={error} />}
    </Dialog>
  )
}

/** Deletes objects after a confirmation. */
export const DeleteButton = (dialog: Omit<DialogProps, 'onClose'>) => {
  const { form } = useTexts()
  return (
    <DangerOpener label={form.delete}>{(close) => <DeleteDialog {...dialog} onClose={close} />}</DangerOpener>
  )
}
