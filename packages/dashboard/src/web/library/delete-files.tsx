import { List } from '@mantine/core'
import { DeleteButton } from '../resource/delete-button.js'
import { useTexts } from '../texts/texts.js'
import { fileTitle, type FileRow } from './use-files.js'

type DeleteProps = { readonly files: readonly FileRow[]; readonly onDeleted: () => void }

/** Deletes the selected files, one after another. After a failure the files that are left remain selected. */
export const DeleteFiles = ({ files, onDeleted }: DeleteProps) => {
  const { library } = useTexts()
  return (
    <DeleteButton
      title={library.deleteTitle(files.length)}
      collection="files"
      segments="files"
      uuids={files.map(({ uuid }) => uuid)}
      onDeleted={onDeleted}
    >
      <List size="sm">
        {files.map((file) => (
          <List.Item key={file.uuid}>{fileTitle(file)}</List.Item>
        ))}
      </List>
    </DeleteButton>
  )
}
