import { Button, Checkbox, Group, NativeSelect, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useState, type DragEvent, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { ResourceModel } from '@publishing-service/dashboard'
import { DateTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { Pager } from '../layout/pager.js'
import { SearchInput } from '../layout/search-input.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { useListState } from '../service/list-state.js'
import { PageTitle } from '../layout/page-title.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { DeleteFiles } from './delete-files.js'
import classes from './library.module.css'
import { Thumbnail } from './thumbnail.js'
import { UploadButton } from './upload-button.js'
import { UploadList } from './upload-list.js'
import { useUploads } from './use-uploads.js'
import { canSearchFiles, fileTitle, useFiles, type FileRow } from './use-files.js'

const rpp = 48
const groups = ['image', 'audio', 'video', 'application', 'text'] as const
type View = 'grid' | 'list'

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

const Rows = ({ files, checkbox }: FilesProps) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const bytes = useByteText()
  return (
    <Table highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{labelOf(texts, 'title')}</Table.Th>
          <Table.Th visibleFrom="sm">{labelOf(texts, 'mimetype')}</Table.Th>
          <Table.Th visibleFrom="sm">{labelOf(texts, 'byte_size')}</Table.Th>
          <Table.Th>{labelOf(texts, 'created')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {files.map((file) => (
          <Table.Tr key={file.uuid}>
            <Table.Td>
              <Group gap="sm" wrap="nowrap">
                {checkbox(file)}
                <Link href={`/${iid}/files/${file.uuid}`} className="row-link">
                  {fileTitle(file)}
                </Link>
              </Group>
            </Table.Td>
            <Table.Td visibleFrom="sm">{file.mimetype}</Table.Td>
            <Table.Td visibleFrom="sm">{bytes(file.byte_size)}</Table.Td>
            <Table.Td>
              <DateTime value={file.created} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const Selection = ({
  files,
  deselect,
}: {
  readonly files: readonly FileRow[]
  readonly deselect: () => void
}) => {
  const { library } = useTexts()
  return (
    <Group role="status" mih={36}>
      {files.length > 0 && (
        <>
          <Text size="sm">{library.selected(files.length)}</Text>
          <DeleteFiles files={files} onDeleted={deselect} />
          <Button variant="subtle" color="gray" onClick={deselect}>
            {library.deselect}
          </Button>
        </>
      )}
    </Group>
  )
}

/** The file library. Files are uploaded by the button, or dropped on the page. */
export const LibraryPage = ({ resource }: { readonly resource: ResourceModel }) => {
  const texts = useTexts()
  const { library, list } = texts
  const canUpload = usePermission('files', 'create')
  const { params, page, setPage, set } = useListState()
  const words = params.get('q') ?? ''
  const group = params.get('groups') ?? ''
  const order = params.get('order') ?? 'created.desc'
  const view: View = params.get('view') === 'list' ? 'list' : 'grid'
  const [isOver, setOver] = useState(false)
  const canDelete = usePermission('files', 'remove')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const dropped = useUploads()
  const found = useFiles({ words, groups: group, order, page, rpp })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (canUpload) dropped.add([...event.dataTransfer.files])
  }
  const deselect = () => setSelected(new Set())
  const checkbox = (file: FileRow): ReactNode =>
    canDelete && (
      <Checkbox
        aria-label={library.select(fileTitle(file))}
        checked={selected.has(file.uuid)}
        onChange={({ currentTarget: { checked } }) =>
          setSelected((current) => {
            const next = new Set(current)
            if (checked) next.add(file.uuid)
            else next.delete(file.uuid)
            return next
          })
        }
      />
    )
  return (
    <Stack
      className={isOver ? classes['over'] : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(canUpload && event.dataTransfer.types.includes('Files'))
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <PageTitle>{texts.collections['files']}</PageTitle>
      {canUpload && (
        <>
          <UploadButton multiple onUploaded={() => setPage(1)} />
          <Text size="sm" c="dimmed" visibleFrom="sm">
            {library.dropHint}
          </Text>
          <UploadList {...dropped} />
        </>
      )}
      <Group align="flex-end">
        {canSearchFiles() && <SearchInput value={words} onSearch={(q) => set({ q })} />}
        <NativeSelect
          label={library.kind}
          data={[
            { value: '', label: list.any },
            ...groups.map((value) => ({ value, label: library.kinds[value] })),
          ]}
          value={group}
          onChange={(event) => set({ groups: event.currentTarget.value })}
        />
        <NativeSelect
          label={list.order}
          data={resource.orders.flatMap((name) =>
            ['desc', 'asc'].map((direction) => ({
              value: `${name}.${direction}`,
              label: `${labelOf(texts, name)} ${direction === 'desc' ? '↓' : '↑'}`,
            })),
          )}
          value={order}
          onChange={(event) => set({ order: event.currentTarget.value })}
        />
        <SegmentedControl
          aria-label={library.view}
          data={[
            { value: 'grid', label: library.grid },
            { value: 'list', label: library.list },
          ]}
          value={view}
          onChange={(next) => set({ view: next === 'list' ? 'list' : '' })}
        />
      </Group>
      <Loaded query={found}>
        {({ files, more }) => (
          <>
            {files.length === 0 && <Text c="dimmed">{list.empty}</Text>}
            <Selection files={files.filter(({ uuid }) => selected.has(uuid))} deselect={deselect} />
            {view === 'grid' ? (
              <Grid files={files} checkbox={checkbox} />
            ) : (
              <Rows files={files} checkbox={checkbox} />
            )}
            <Pager page={page} hasMore={more} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
