import { Button, Group, Modal, Stack, Text, TextInput, type ButtonProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { DialogOpener } from '../layout/dialog.js'
import { Loaded } from '../layout/messages.js'
import { Pager } from '../layout/pager.js'
import { canSearch, usePermission } from '../service/place.js'
import { useRows } from '../service/use-object.js'
import { useTexts } from '../texts/texts.js'
import classes from './library.module.css'
import { Thumbnail } from './thumbnail.js'
import { UploadButton } from './upload-button.js'
import { useUploads } from './use-uploads.js'
import { fileFields, fileRow, fileTitle, type FileRow } from './file-row.js'

type ChosenFile = { readonly uuid: string; readonly title: string }

type ChoiceProps = {
  readonly onChoose: (files: readonly ChosenFile[]) => void
  readonly media?: 'image' | 'audio'
  /** Whether several files can be chosen. */
  readonly multiple?: boolean
}

const rpp = 30

type PickerProps = ChoiceProps & { readonly onClose: () => void }

/** A dialog in which files of the library are chosen, or uploaded. */
export const FilePicker = ({ onClose, onChoose, media, multiple = false }: PickerProps) => {
  const { library, list, form } = useTexts()
  const canUpload = usePermission('files', 'create')
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text.trim(), 250)
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([])
  const found = useRows('files', {
    fields: fileFields,
    groups: media,
    page,
    rpp,
    ...(words === '' ? { order: 'created.desc' } : { q: words }),
  })
  const finish = (files: readonly ChosenFile[]) => {
    onChoose(files)
    onClose()
  }
  const uploads = useUploads((done) => {
    const files = done.flatMap(({ uuid, file }) => (uuid === null ? [] : [{ uuid, title: file.name }]))
    if (multiple) setChosen((current) => [...current, ...files])
    else finish(files)
  })
  const toggle = (row: FileRow) => {
    const file = { uuid: row.uuid, title: fileTitle(row) }
    if (!multiple) return finish([file])
    setChosen((current) =>
      current.some(({ uuid }) => uuid === file.uuid)
        ? current.filter(({ uuid }) => uuid !== file.uuid)
        : [...current, file],
    )
  }
  return (
    <Modal opened onClose={onClose} size="xl" title={multiple ? library.chooseFiles : library.chooseFile}>
      <Stack>
        <Group align="flex-end">
          {canSearch('files') && (
            <TextInput
              label={list.search}
              type="search"
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value)
                setPage(1)
              }}
            />
          )}
          {canUpload && <UploadButton multiple={multiple} accept={media && `${media}/*`} uploads={uploads} />}
        </Group>
        <Loaded query={found}>
          {({ rows, more }) => (
            <>
              {rows.length === 0 && <Text c="dimmed">{list.empty}</Text>}
              <ul className={classes['grid']}>
                {rows.map(fileRow).map((file) => (
                  <li key={file.uuid}>
                    <button
                      type="button"
                      className={classes['tile']}
                      aria-pressed={multiple ? chosen.some(({ uuid }) => uuid === file.uuid) : undefined}
                      onClick={() => toggle(file)}
                    >
                      <Thumbnail download={file.download_url} mimetype={file.mimetype} alt="" />
                      <Text size="sm" lineClamp={2} mt={4}>
                        {fileTitle(file)}
                      </Text>
                    </button>
                  </li>
                ))}
              </ul>
              <Pager page={page} hasMore={more} onChange={setPage} />
            </>
          )}
        </Loaded>
        {multiple && (
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {form.cancel}
            </Button>
            <Button disabled={chosen.length === 0} onClick={() => finish(chosen)}>
              {library.take({ files: library.files(chosen.length) })}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}

type ChooserProps = ChoiceProps & ButtonProps & { readonly children: ReactNode }

/** A button that opens the choice of files. */
export const FileChooser = ({ onChoose, media, multiple, ...button }: ChooserProps) => (
  <DialogOpener button={(open) => <Button variant="default" size="xs" {...button} onClick={open} />}>
    {(close) => <FilePicker onClose={close} onChoose={onChoose} media={media} multiple={multiple} />}
  </DialogOpener>
)
