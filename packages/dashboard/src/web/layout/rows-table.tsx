import { Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useListState } from '../service/list-state.js'
import { NotSignedIn } from '../service/session.js'
import { useTexts } from '../texts/texts.js'
import { Loaded } from './messages.js'
import classes from './rows-table.module.css'
import { Pager } from './pager.js'

const rpp = 50

type TableProps<Row> = {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  readonly head: readonly string[]
  readonly minWidth?: number
  /** Shown if there are no rows. */
  readonly empty?: string | undefined
  /** The cells of a row. */
  readonly children: (row: Row) => readonly ReactNode[]
}

/** Rows in columns; a column without a name has buttons, on the right. */
export const RowsTable = <Row,>({ rows, keyOf, head, minWidth = 420, empty, children }: TableProps<Row>) => {
  const { list } = useTexts()
  if (rows.length === 0) return <Text c="dimmed">{empty ?? list.empty}</Text>
  return (
    <Table.ScrollContainer minWidth={minWidth} className={classes['scroll']}>
      <Table highlightOnHover verticalSpacing="xs" className={classes['table']}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name) => (
              <Table.Th key={name} aria-label={name === '' ? list.actions : undefined}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)} className={classes['row']}>
              {children(row).map((cell, index) => (
                <Table.Td
                  key={head[index]}
                  ta={head[index] === '' ? { sm: 'right' } : undefined}
                  data-label={index > 0 && head[index] !== '' ? head[index] : undefined}
                >
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

type TablePage<Row> = { readonly rows: readonly Row[]; readonly more: boolean }

type PagedProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  readonly queryKey: QueryKey
  /** Milliseconds between two reads while the page is visible; it is not read again by default. */
  readonly refreshEvery?: number
  /** Whether a page that was read can change by itself. Default: each can. */
  readonly isChanging?: (page: TablePage<Row>) => boolean
  /** `isAgain`: the page is read already, and nobody waits for it. */
  readonly read: (
    page: { readonly page: number; readonly rpp: number },
    signal: AbortSignal,
    isAgain: boolean,
  ) => Promise<TablePage<Row>>
}

/** The rows of a list that has no more than pages. */
export const PagedTable = <Row,>({
  queryKey,
  read,
  refreshEvery,
  isChanging = () => true,
  ...table
}: PagedProps<Row>) => {
  const { page, setPage } = useListState()
  const queries = useQueryClient()
  const key = [...queryKey, page]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read({ page, rpp }, signal, queries.getQueryData(key) !== undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      !(error instanceof NotSignedIn) && (data === undefined || isChanging(data)) && (refreshEvery ?? false),
  })
  return (
    <Loaded query={query}>
      {({ rows, more }) => (
        <>
          <RowsTable {...table} rows={rows} />
          <Pager page={page} hasMore={more} onChange={setPage} />
        </>
      )}
    </Loaded>
  )
}
