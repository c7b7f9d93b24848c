import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { ErrorMessage } from '../layout/messages.js'
import { useInstance, usePermission } from '../service/place.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'
import { useByteText } from './library-page.js'
import { checkFile } from './upload-file.js'
import classes from './library.module.css'
import { saveData } from './save-data.js'
import { readData, useDataUrl } from './use-data-url.js'
import { fileRow, fileTitle } from './file-row.js'

const previewWidth = 1200

const Preview = ({ value }: { readonly value: JsonObject }) => {
  const file = fileRow(value)
  const [group = ''] = (file.mimetype ?? '').split('/')
  const isImage = group === 'image'
  const canPlay = group === 'audio' || group === 'video'
  const url = useDataUrl(isImage || canPlay ? file.download_url : null, isImage ? previewWidth : null)
  if (url === null) return null
  if (isImage) return <img src={url} alt={fileTitle(file)} className={classes['preview']} />
  return group === 'audio' ? (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio src={url} controls />
  ) : (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video src={url} controls className={classes['preview']} />
  )
}

const Replace = ({ uuid }: { readonly uuid: string }) => {
  const { library } = useTexts()
  const { api, iid } = useInstance()
  const [progress, setProgress] = useState<number | null>(null)
  const { error, run } = useAction({ queryKey: [iid] })
  const replace = async (data: File | null) => {
    if (data === null) return
    setProgress(0)
    await run(async () => {
      await checkFile(data)
      await api.client.upload({
        iid,
        uuid,
        data,
        onProgress: ({ sent, total }) => setProgress((sent / Math.max(1, total)) * 100),
      })
    })
    setProgress(null)
  }
  return (
    <Stack gap="xs">
      <FileButton onChange={(file) => void replace(file)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" loading={progress !== null}>
            {library.replaceData}
          </Button>
        )}
      </FileButton>
      {progress !== null && <Progress value={progress} aria-label={library.progress} />}
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}

/** The data of a file: shown or played, downloaded, replaced. */
export const FilePreview = ({ value }: { readonly value: JsonObject }) => {
  const { library } = useTexts()
  const { api } = useInstance()
  const canReplace = usePermission('files', 'update', value)
  const bytes = useByteText()
  const file = fileRow(value)
  const save = async (download: string) =>
    saveData(await readData(api.client, download, null), file.filename ?? fileTitle(file))
  const { download_url: download } = file
  return (
    <Stack gap="xs">
      <Preview value={value} />
      <Text size="sm" c="dimmed">
        {file.mimetype === null ? library.noData : `${file.mimetype}, ${bytes(file.byte_size)}`}
      </Text>
      <Group align="flex-start">
        {download !== null && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => void save(download)}
          >
            {library.download}
          </Button>
        )}
        {canReplace && <Replace uuid={file.uuid} />}
      </Group>
    </Stack>
  )
}
