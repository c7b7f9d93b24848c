import { Button, FileButton, Stack } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useTexts } from '../texts/texts.js'
import { UploadList } from './upload-list.js'
import type { useUploads } from './use-uploads.js'

type UploadProps = {
  readonly multiple: boolean
  readonly accept?: string
  readonly uploads: ReturnType<typeof useUploads>
}

/** Chooses files of the computer and uploads them. */
export const UploadButton = ({ multiple, accept, uploads }: UploadProps) => {
  const { library } = useTexts()
  return (
    <Stack gap="xs" flex={1}>
      <FileButton
        multiple
        accept={accept}
        onChange={(files) => uploads.add(multiple ? files : files.slice(0, 1))}
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
      <UploadList {...uploads} />
    </Stack>
  )
}
