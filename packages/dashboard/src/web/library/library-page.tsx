import { Button, Checkbox, Group, List as Items, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useSet } from '@mantine/hooks'
import { useState, type DragEvent, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { ResourceModel } from '@publishing-service/dashboard'
import { DateTime } from '../layout/date-time.js'
import { RowsTable } from '../layout/rows-table.js'
import { DeleteButton } from '../resource/delete-button.js'
import { ResourceList, type RowsProps } from '../resource/resource-list.js'
import { useInstance, usePermission } from '../service/place.js'
import { useListState } from '../service/list-state.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { fileFields, fileRow, fileTitle, type FileRow } from './file-row.js'
import classes from './library.module.css'
import { Thumbnail } from './thumbnail.js'
import { UploadButton } from './upload-button.js'
import { useUploads } from './use-uploads.js'

const groups = ['image', 'audio', 'video', 'application', 'text'] as const

/** A number of bytes in words. */
export const useByteText = () => {
  const { locale } = useTexts()
  return (bytes: number | null): string => {
    if (bytes === null) return ''
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
    const rank = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
    const style = { style: 'unit', unit: units[rank] ?? 'byte', maximumFractionDigits: 1 } as const
    return new Intl.NumberFormat(locale, style).format(bytes / 1000 ** rank)
  }
}

type FilesProps = {
  readonly files: readonly FileRow[]
  /** The checkbox that selects a file, if files can be selected. */
  readonly checkbox: (file: FileRow) => ReactNode
}

const Grid = ({ files, checkbox }: FilesProps) => {
  const { iid } = useInstance()
  return (
    <ul className={classes['grid']}>
      {files.map((file) => (
        <li key={file.uuid} className={classes['item']}>
          <Link href={`/${iid}/files/${file.uuid}`} className={classes['tile'] ?? ''}>
            <Thumbnail download={file.download_url} mimetype={file.mimetype} alt="" />
            <Text size="sm" lineClamp={2} mt={4}>
              {fileTitle(file)}
            </Text>
          </Link>
          <div className={classes['check']}>{checkbox(file)}</div>
        </li>
      ))}
    </ul>
  )
}

const List = ({ files, checkbox }: FilesProps) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const bytes = useByteText()
  return (
    <RowsTable
      rows={files}
      keyOf={({ uuid }) => uuid}
      head={['title', 'mimetype', 'byte_size', 'created'].map((name) => labelOf(texts, name))}
    >
      {(file) => [
        <Group key="title" gap="sm" wrap="nowrap">
          {checkbox(file)}
          <Link href={`/${iid}/files/${file.uuid}`} className="row-link">
            {fileTitle(file)}
          </Link>
        </Group>,
        file.mimetype,
        bytes(file.byte_size),
        <DateTime key="created" value={file.created} />,
      ]}
    </RowsTable>
  )
}

/** A page of files, in which they can be selected and deleted. */
const Files = ({ rows }: RowsProps) => {
  const { library } = useTexts()
  const { params } = useListState()
  const canDelete = usePermission('files', 'remove')
  const selected = useSet<string>()
  const files = rows.map(fileRow)
  const chosen = files.filter(({ uuid }) => selected.has(uuid))
  const deselect = () => selected.clear()
  const checkbox = (file: FileRow): ReactNode =>
    canDelete && (
      <Checkbox
        aria-label={library.select({ title: fileTitle(file) })}
        checked={selected.has(file.uuid)}
        onChange={({ currentTarget: { checked } }) =>
          checked ? selected.add(file.uuid) : selected.delete(file.uuid)
        }
      />
    )
  const View = params.get('view') === 'list' ? List : Grid
  return (
    <>
      <Group role="status" mih={36}>
        {chosen.length > 0 && (
          <>
            <Text size="sm">{library.selected({ files: library.files(chosen.length) })}</Text>
            <DeleteButton
              title={library.deleteTitle({ files: library.files(chosen.length) })}
              collection="files"
              segments="files"
              uuids={chosen.map(({ uuid }) => uuid)}
              onDeleted={deselect}
            >
              <Items size="sm">
                {chosen.map((file) => (
                  <Items.Item key={file.uuid}>{fileTitle(file)}</Items.Item>
                ))}
              </Items>
            </DeleteButton>
            <Button variant="subtle" color="gray" onClick={deselect}>
              {library.deselect}
            </Button>
          </>
        )}
      </Group>
      <View files={files} checkbox={checkbox} />
    </>
  )
}

/** The kind of the files, and how they are shown. */
const Controls = () => {
  const { library, list } = useTexts()
  const { params, set } = useListState()
  return (
    <>
      <NativeSelect
        label={library.kind}
        data={[
          { value: '', label: list.any },
          ...groups.map((value) => ({ value, label: library.kinds[value] })),
        ]}
        value={params.get('groups') ?? ''}
        onChange={(event) => set({ groups: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label={library.view}
        data={[
          { value: '', label: library.grid },
          { value: 'list', label: library.list },
        ]}
        value={params.get('view') ?? ''}
        onChange={(view) => set({ view })}
      />
    </>
  )
}

/** The file library. Files are uploaded by the button, or dropped on the page. */
export const LibraryPage = ({ resource }: { readonly resource: ResourceModel }) => {
  const { library } = useTexts()
  const canUpload = usePermission('files', 'create')
  const { setPage } = useListState()
  const [isOver, setOver] = useState(false)
  const uploads = useUploads(() => setPage(1))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (canUpload) uploads.add([...event.dataTransfer.files])
  }
  return (
    <div
      className={isOver ? classes['over'] : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(canUpload && event.dataTransfer.types.includes('Files'))
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <ResourceList
        resource={resource}
        create={null}
        header={
          canUpload && (
            <>
              <UploadButton multiple uploads={uploads} />
              <Text size="sm" c="dimmed" visibleFrom="sm">
                {library.dropHint}
              </Text>
            </>
          )
        }
        controls={<Controls />}
        rows={Files}
        rowFields={fileFields}
        initialOrder="created.desc"
        rpp={48}
      />
    </div>
  )
}
