import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ErrorMessage } from '../layout/messages.js'
import { useInstance } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'
import { UsesList, useUses } from './uses.js'

type DialogProps = {
  readonly title: string
  readonly collection: string
  /** The objects that are deleted. */
  readonly uuids: readonly string[]
  readonly onClose: () => void
  readonly remove: () => Promise<void>
  readonly onDeleted: () => void
  /** Names the objects, if the title does not. */
  readonly children?: ReactNode
}

/** Names where objects are used before they are deleted. What the public sees with them is confirmed once more. */
export const DeleteDialog = ({
  title,
  collection,
  uuids,
  onClose,
  remove,
  onDeleted,
  children,
}: DialogProps) => {
  const { form, library } = useTexts()
  const { iid } = useInstance()
  const queries = useQueryClient()
  const uses = useUses(collection, uuids)
  const [isConfirmed, setConfirmed] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isDeleting, setDeleting] = useState(false)
  const proceed = async () => {
    if (uses.isLive && !isConfirmed) return setConfirmed(true)
    setDeleting(true)
    setError(null)
    try {
      await remove()
      onClose()
      onDeleted()
    } catch (failure) {
      setError(failure)
    }
    setDeleting(false)
    await queries.invalidateQueries({
      queryKey: [iid],
      // A page of what was deleted is not read again before it is left.
      predicate: ({ queryKey }) => !uuids.some((uuid) => queryKey.includes(uuid)),
    })
  }
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <Stack>
        {children}
        {uses.groups.length > 0 && (
          <Text size="sm" fw={600}>
            {library.uses}
          </Text>
        )}
        <UsesList uses={uses} uuids={uuids} none="" />
        <Text size="sm">{form.deleteText}</Text>
        {isConfirmed && (
          <Alert color="red" role="alert">
            {form.deleteUsed}
          </Alert>
        )}
        {error !== null && <ErrorMessage error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {form.cancel}
          </Button>
          <Button color="red" loading={isDeleting} disabled={uses.isLoading} onClick={() => void proceed()}>
            {isConfirmed ? form.deleteAnyway : form.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
