import { Code, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { UtcTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { Pager } from '../layout/pager.js'
import { CurrentInstance } from '../service/instance-context.js'
import { isJsonObject } from '../service/json.js'
import { useListState } from '../service/list-state.js'
import { useService } from '../service/service-context.js'
import { PageTitle } from '../layout/page-title.js'
import { useTexts } from '../texts/texts.js'

const rpp = 50
const fields = [
  'uuid',
  'created',
  'name',
  'operation',
  'collection',
  'object',
  'address',
  'changes',
  'instance',
]

const objectPath = (base: string, row: JsonObject): string | null => {
  const { collection, object, instance } = row
  if (typeof collection !== 'string' || typeof object !== 'string') return null
  if (collection === 'users') return `${base}/users/${object}`
  const isResource = model.resources.some((resource) => resource.collection === collection)
  return isResource && typeof instance === 'number' ? `/${instance}/${collection}/${object}` : null
}

const Changed = ({ row }: { readonly row: JsonObject }) => {
  const { collections } = useTexts()
  const { base } = useService()
  const path = objectPath(base, row)
  const name = collections[String(row['collection'])] ?? String(row['collection'])
  const { changes } = row
  return (
    <>
      {path === null ? name : <Link href={path}>{name}</Link>}
      {isJsonObject(changes) && (
        <Text size="xs" c="dimmed" className="version">
          {JSON.stringify(changes)}
        </Text>
      )}
    </>
  )
}

/** Who has changed what, newest first: on this instance, or on all for an operator. */
export const AuditPage = () => {
  const { access, collections, list } = useTexts()
  const instance = use(CurrentInstance)
  const service = useService()
  const { params, page, setPage, set } = useListState()
  const from = params.get('from') ?? ''
  const to = params.get('to') ?? ''
  const query = {
    fields,
    page,
    rpp,
    ...(from === '' && to === '' ? {} : { created: `${from}_${to}` }),
  }
  const found = useQuery({
    queryKey: ['audit', service.base, query],
    queryFn: ({ signal }) => (instance ?? service).api.list('audit', query, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return (
    <Stack>
      <PageTitle>{collections['audit']}</PageTitle>
      <Group align="flex-end">
        <TextInput
          type="date"
          label={list.from}
          value={from}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={list.to}
          value={to}
          onChange={(event) => set({ to: event.currentTarget.value })}
        />
      </Group>
      <Loaded query={found}>
        {({ rows, hasMore }) => (
          <>
            {rows.length === 0 && <Text c="dimmed">{list.empty}</Text>}
            <Table.ScrollContainer minWidth={760}>
              <Table verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{access.when}</Table.Th>
                    <Table.Th>{access.user}</Table.Th>
                    <Table.Th>{access.operation}</Table.Th>
                    <Table.Th>{access.object}</Table.Th>
                    <Table.Th>{access.address}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((row) => (
                    <Table.Tr key={String(row['uuid'])}>
                      <Table.Td>
                        <UtcTime value={row['created'] ?? null} />
                      </Table.Td>
                      <Table.Td>{String(row['name'])}</Table.Td>
                      <Table.Td>
                        <Code>{String(row['operation'])}</Code>
                      </Table.Td>
                      <Table.Td>
                        <Changed row={row} />
                      </Table.Td>
                      <Table.Td>{row['address'] === null ? '' : String(row['address'])}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <Pager page={page} hasMore={hasMore} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
