import { Button, List } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { DeleteDialog } from '../resource/delete-dialog.js'
import { useInstance } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'
import { fileTitle, type FileRow } from './use-files.js'

type DeleteProps = { readonly files: readonly FileRow[]; readonly onDeleted: () => void }

/** Deletes the selected files, one after another. After a failure the files that are left remain selected. */
export const DeleteFiles = ({ files, onDeleted }: DeleteProps) => {
  const { library, form } = useTexts()
  const { api } = useInstance()
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="subtle" color="red" onClick={open}>
        {form.delete}
      </Button>
      {isOpen && (
        <DeleteDialog
          title={library.deleteTitle(files.length)}
          collection="files"
          uuids={files.map(({ uuid }) => uuid)}
          onClose={close}
          remove={async () => {
            for (const { uuid } of files) await api.remove(`files/${uuid}`)
          }}
          onDeleted={onDeleted}
        >
          <List size="sm">
            {files.map((file) => (
              <List.Item key={file.uuid}>{fileTitle(file)}</List.Item>
            ))}
          </List>
        </DeleteDialog>
      )}
    </>
  )
}
