import {
  ActionIcon,
  Button,
  Group,
  Menu,
  NativeSelect,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Json, JsonObject } from '@publishing-service/domain'
import type { FilterField, ResourceModel } from '@publishing-service/dashboard'
import { DateTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { Pager } from '../layout/pager.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { titleFieldsOf, titleIn } from '../service/titles.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'
import { FilterInput } from './filter-input.js'

const rpp = 25

/** Columns in addition to the title: the variant, the state, and what the list can be ordered by. */
const columnsOf = ({ variant, orders, columns }: ResourceModel): readonly string[] => {
  const wanted = [
    ...(variant === undefined ? [] : [variant]),
    'state',
    ...orders.filter((each) => each !== 'urlname'),
  ]
  return [...new Set(wanted)].filter((name) => columns.includes(name) && !titleNames.has(name)).slice(0, 5)
}

const titleNames = new Set(['title', 'sort_title', 'uuid', 'pattern', 'filename'])

const dateNames = new Set(['created', 'modified', 'issued', 'dtstart'])

const Cell = ({ name, value }: { readonly name: string; readonly value: Json }) => {
  const texts = useTexts()
  if (value === null) return null
  if (dateNames.has(name)) return <DateTime value={value} />
  if (typeof value === 'boolean') return value ? texts.form.yes : texts.form.no
  return typeof value === 'string' ? wordOf(texts, value) : JSON.stringify(value)
}

const CreateButton = ({ resource }: { readonly resource: ResourceModel }) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const { collection, variant, fields } = resource
  const base = `/${iid}/${collection}/new`
  const variants = fields.find(({ name }) => name === variant)?.value
  const icon = <IconPlus size={16} aria-hidden />
  if (variants?.kind !== 'choice')
    return (
      <Button component={Link} href={base} leftSection={icon}>
        {texts.list.create}
      </Button>
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={icon}>{texts.list.create}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {variants.options.map((option) => (
          <Menu.Item key={option} component={Link} href={`${base}?${variant}=${option}`}>
            {wordOf(texts, option)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export type Filters = Readonly<Record<string, string>>

type FilterBarProps = {
  readonly filters: readonly FilterField[]
  readonly values: Filters
  readonly onChange: (values: Filters) => void
}

const FilterBar = ({ filters, values, onChange }: FilterBarProps) => {
  const { list } = useTexts()
  const shown = filters.filter(({ name, value }) => name !== 'q' && value.kind !== 'text')
  if (shown.length === 0) return null
  return (
    <Group gap="sm" align="flex-end">
      {shown.map((filter) => (
        <FilterInput
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          onChange={(text) => {
            const { [filter.name]: _former, ...rest } = values
            onChange(text === '' ? rest : { ...rest, [filter.name]: text })
          }}
        />
      ))}
      {Object.keys(values).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {list.clearFilters}
        </Button>
      )}
    </Group>
  )
}

const Rows = ({
  resource,
  rows,
}: {
  readonly resource: ResourceModel
  readonly rows: readonly JsonObject[]
}) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const columns = columnsOf(resource)
  return (
    <Table.ScrollContainer minWidth={columns.length > 1 ? 640 : 320}>
      <Table highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{labelOf(texts, 'title')}</Table.Th>
            {columns.map((name) => (
              <Table.Th key={name}>{labelOf(texts, name)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={String(row['uuid'])}>
              <Table.Td>
                <Link href={`/${iid}/${resource.collection}/${String(row['uuid'])}`} className="row-link">
                  {titleIn(row) ?? texts.list.untitled}
                </Link>
              </Table.Td>
              {columns.map((name) => (
                <Table.Td key={name}>
                  <Cell name={name} value={row[name] ?? null} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The list of a resource, with its filters and orders. */
export const ResourceList = ({ resource }: { readonly resource: ResourceModel }) => {
  const texts = useTexts()
  const { api, iid } = useInstance()
  const { collection, segments, orders, filters } = resource
  const canCreate = usePermission(collection, 'create')
  const [page, setPage] = useState(1)
  const [order, setOrder] = useState(() =>
    orders.includes('modified') ? 'modified.desc' : (orders.find((each) => each !== 'distance') ?? ''),
  )
  const [values, setValues] = useState<Filters>({})
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text.trim(), 250)
  const canSearch = filters.some(({ name }) => name === 'q')
  const query = {
    fields: ['uuid', ...titleFieldsOf(collection), ...columnsOf(resource)],
    page,
    rpp,
    ...values,
    ...(words === '' ? (order === '' ? {} : { order }) : { q: words }),
  }
  const found = useQuery({
    queryKey: [iid, collection, 'list', query],
    queryFn: ({ signal }) => api.list(segments, query, signal),
    placeholderData: keepPreviousData,
  })
  const [option = '', direction = 'asc'] = order.split('.')
  const isDescending = direction === 'desc'
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {texts.collections[collection] ?? resource.name}
        </Title>
        {canCreate && <CreateButton resource={resource} />}
      </Group>
      <Group gap="sm" align="flex-end">
        {canSearch && (
          <TextInput
            label={texts.list.search}
            type="search"
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setPage(1)
            }}
          />
        )}
        {orders.length > 0 && (
          <Group gap={4} align="flex-end" wrap="nowrap">
            <NativeSelect
              label={texts.list.order}
              data={orders
                .filter((each) => each !== 'distance')
                .map((each) => ({ value: each, label: labelOf(texts, each) }))}
              value={option}
              onChange={(event) => {
                setOrder(`${event.currentTarget.value}.${direction}`)
                setPage(1)
              }}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={isDescending ? texts.list.descending : texts.list.ascending}
              onClick={() => {
                setOrder(`${option}.${isDescending ? 'asc' : 'desc'}`)
                setPage(1)
              }}
            >
              {isDescending ? <IconArrowDown size={16} aria-hidden /> : <IconArrowUp size={16} aria-hidden />}
            </ActionIcon>
          </Group>
        )}
        <FilterBar
          filters={filters}
          values={values}
          onChange={(next) => {
            setValues(next)
            setPage(1)
          }}
        />
      </Group>
      <Loaded query={found}>
        {({ rows, hasMore }) => (
          <>
            {rows.length === 0 ? (
              <Text c="dimmed">
                {Object.keys(values).length === 0 && words === ''
                  ? texts.list.empty
                  : texts.list.emptyFiltered}
              </Text>
            ) : (
              <Rows resource={resource} rows={rows} />
            )}
            <Pager page={page} hasMore={hasMore} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
