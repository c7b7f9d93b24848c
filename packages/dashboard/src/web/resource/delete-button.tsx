import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorMessage } from '../layout/messages.js'
import { useInstance } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'

type DeleteProps = { readonly path: string; readonly title: string; readonly onDeleted: () => void }

export const DeleteButton = ({ path, title, onDeleted }: DeleteProps) => {
  const { form } = useTexts()
  const { api, iid } = useInstance()
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure(false)
  const [error, setError] = useState<unknown>(null)
  const [isDeleting, setDeleting] = useState(false)
  const remove = async () => {
    setDeleting(true)
    setError(null)
    try {
      await api.remove(path)
      close()
      onDeleted()
      await queries.invalidateQueries({ queryKey: [iid] })
    } catch (failure) {
      setError(failure)
    }
    setDeleting(false)
  }
  return (
    <>
      <Button variant="subtle" color="red" onClick={open} flex="none">
        {form.delete}
      </Button>
      <Modal opened={isOpen} onClose={close} title={form.deleteTitle(title)} centered>
        <Stack>
          <Text size="sm">{form.deleteText}</Text>
          {error !== null && <ErrorMessage error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {form.cancel}
            </Button>
            <Button color="red" loading={isDeleting} onClick={() => void remove()}>
              {form.delete}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
