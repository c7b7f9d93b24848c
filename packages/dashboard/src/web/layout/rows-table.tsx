import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.js'

type TableProps<Row> = {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  readonly head: readonly string[]
  readonly minWidth?: number
  /** Shown if there are no rows. */
  readonly empty?: string
  /** The cells of a row. */
  readonly children: (row: Row) => readonly ReactNode[]
}

/** Rows in columns; a column without a name has buttons, on the right. */
export const RowsTable = <Row,>({ rows, keyOf, head, minWidth = 420, empty, children }: TableProps<Row>) => {
  const { list } = useTexts()
  if (rows.length === 0) return <Text c="dimmed">{empty ?? list.empty}</Text>
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table highlightOnHover verticalSpacing="xs">
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
            <Table.Tr key={keyOf(row)}>
              {children(row).map((cell, index) => (
                <Table.Td key={head[index]} ta={head[index] === '' ? 'right' : undefined}>
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
