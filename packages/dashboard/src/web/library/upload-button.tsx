import { Button, FileButton, Stack } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useTexts } from '../texts/texts.js'
import { UploadList } from './upload-list.js'
import { useUploads } from './use-uploads.js'

type UploadProps = {
  readonly multiple: boolean
  readonly accept?: string
  readonly onUploaded: (files: readonly { readonly uuid: string; readonly title: string }[]) => void
}

/** Chooses files of the computer and uploads them. */
export const UploadButton = ({ multiple, accept, onUploaded }: UploadProps) => {
  const { library } = useTexts()
  const state = useUploads((done) =>
    onUploaded(done.flatMap(({ uuid, file }) => (uuid === null ? [] : [{ uuid, title: file.name }]))),
  )
  return (
    <Stack gap="xs" flex={1}>
      <FileButton
        multiple
        accept={accept}
        onChange={(files) => state.add(multiple ? files : files.slice(0, 1))}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
            w="fit-content"
          >
            {library.upload}
          </Button>
        )}
      </FileButton>
      <UploadList {...state} />
    </Stack>
  )
}
