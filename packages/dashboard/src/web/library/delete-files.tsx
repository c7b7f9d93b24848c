import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorMessage } from '../layout/messages.js'
import { useInstance } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'
import { fileTitle, type FileRow } from './use-files.js'

type DeleteProps = { readonly files: readonly FileRow[]; readonly onDeleted: () => void }

/** Deletes the selected files, one after another. After a failure the files that are left remain selected. */
export const DeleteFiles = ({ files, onDeleted }: DeleteProps) => {
  const { library, form } = useTexts()
  const { api, iid } = useInstance()
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure(false)
  const [error, setError] = useState<unknown>(null)
  const [isDeleting, setDeleting] = useState(false)
  const remove = async () => {
    setDeleting(true)
    setError(null)
    try {
      for (const { uuid } of files) await api.remove(`files/${uuid}`)
      close()
      onDeleted()
    } catch (failure) {
      setError(failure)
    }
    await queries.invalidateQueries({ queryKey: [iid] })
    setDeleting(false)
  }
  return (
    <>
      <Button variant="subtle" color="red" onClick={open}>
        {form.delete}
      </Button>
      <Modal opened={isOpen} onClose={close} title={library.deleteTitle(files.length)} centered>
        <Stack>
          <List size="sm">
            {files.map((file) => (
              <List.Item key={file.uuid}>{fileTitle(file)}</List.Item>
            ))}
          </List>
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
