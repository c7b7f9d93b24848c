import { ActionIcon, Alert, Button, Collapse, Group, Menu, NativeSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconFilter, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentType } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain'
import type { FilterField, Relation, ResourceModel } from '@publishing-service/dashboard'
import { DateTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { Pager } from '../layout/pager.js'
import { RowsTable } from '../layout/rows-table.js'
import { SearchInput } from '../layout/search-input.js'
import { isSearchable } from '../../content/search-text.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { useListState } from '../service/list-state.js'
import { titleFieldsOf, titleIn } from '../service/titles.js'
import { PageTitle } from '../layout/page-title.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'
import { SmallPicture } from '../library/thumbnail.js'
import { PublicationBadge } from '../publication/publication-badge.js'
import { SiteIcon, useSiteAddress } from '../publication/site-link.js'
import { Highlight } from '../search/highlight.js'
import type { Rows } from '../service/api.js'
import { depthsIn } from '../../structure/depths-in.js'
import { FilterInput } from './filter-input.js'

const rpp = 25
const maxIndents = 6
const noDepths: ReadonlyMap<string, number> = new Map()

/** The reference that is shown in a column: the first one that is no file. */
const relationOf = ({ relations, columns }: ResourceModel): Relation | undefined =>
  relations.find(({ field, collection }) => collection !== 'files' && columns.includes(field))

/** The reference to the picture of a row. */
const pictureOf = ({ relations, columns }: ResourceModel): Relation | undefined =>
  relations.find(({ field, collection }) => collection === 'files' && columns.includes(field))

const titleNames = new Set(['title', 'sort_title', 'uuid', 'pattern', 'filename', 'urlname', 'distance'])

/** Columns in addition to the title: the variant, the state, and what the list can be ordered by. */
const columnsOf = (resource: ResourceModel): readonly string[] => {
  const { variant, orders, columns } = resource
  const isChanged = orders.includes('modified')
  const ordered = orders.filter((each) => !titleNames.has(each) && !(isChanged && each === 'created'))
  const wanted = [...(variant === undefined ? [] : [variant]), 'state', ...ordered]
  return [...new Set(wanted)].filter((name) => columns.includes(name)).slice(0, 4)
}

const dateNames = new Set(['created', 'modified', 'issued', 'dtstart'])

type CellProps = { readonly name: string; readonly row: JsonObject }

const Cell = ({ name, row }: CellProps) => {
  const texts = useTexts()
  const value = row[name] ?? null
  if (value === null) return null
  if (name === 'state' && (value === 'draft' || value === 'published')) return <PublicationBadge row={row} />
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
  const [isOpen, { toggle }] = useDisclosure(false)
  const shown = filters.filter(({ name, value }) => name !== 'q' && value.kind !== 'text')
  if (shown.length === 0) return null
  const count = Object.keys(values).length
  return (
    <>
      <Button
        variant="default"
        aria-expanded={isOpen}
        onClick={toggle}
        leftSection={<IconFilter size={16} aria-hidden />}
      >
        {list.filterButton(count)}
      </Button>
      {count > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {list.clearFilters}
        </Button>
      )}
      <Collapse expanded={isOpen} w="100%">
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
        </Group>
      </Collapse>
    </>
  )
}

const includedIn = (included: Rows['included'], row: JsonObject, relation: Relation | undefined) => {
  const id = relation === undefined ? null : row[relation.field]
  return typeof id === 'string' ? (included[id] ?? null) : null
}

export type RowActionsProps = { readonly row: JsonObject }

type Special = {
  /** The field that refers to the parent of a row. In the order `tree`, children are indented below their parents. */
  readonly parentField?: string
  /** Shown above the filters. */
  readonly header?: ComponentType
  /** Shown at the end of each row. */
  readonly actions?: ComponentType<RowActionsProps>
  /** The fields of a row that its actions read. */
  readonly actionFields?: readonly string[]
}

type TableProps = Pick<Special, 'actions'> & {
  readonly resource: ResourceModel
  readonly found: Rows
  /** By UUID; 0 for rows that have none. */
  readonly depths: ReadonlyMap<string, number>
}

const ObjectsTable = ({ resource, found: { rows, included }, depths, actions: Actions }: TableProps) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const columns = columnsOf(resource)
  const relation = relationOf(resource)
  const picture = pictureOf(resource)
  const addressOf = useSiteAddress()
  const titleCell = (row: JsonObject) => {
    const uuid = String(row['uuid'])
    const title = titleIn(row) ?? texts.list.untitled
    const address = addressOf(row)
    return (
      <Group
        key="title"
        gap="sm"
        wrap="nowrap"
        miw={220}
        pl={`${Math.min(depths.get(uuid) ?? 0, maxIndents) * 1.25}rem`}
      >
        {picture !== undefined && <SmallPicture of={[includedIn(included, row, picture)]} />}
        <div>
          <Link href={`/${iid}/${resource.collection}/${uuid}`} className="row-link">
            {title}
          </Link>
          {address !== null && <SiteIcon address={address} title={title} />}
          {typeof row['highlight'] === 'string' && (
            <Text size="sm" c="dimmed" lineClamp={2}>
              <Highlight html={row['highlight']} />
            </Text>
          )}
        </div>
      </Group>
    )
  }
  return (
    <RowsTable
      rows={rows}
      keyOf={({ uuid }) => String(uuid)}
      head={[
        ...['title', ...(relation === undefined ? [] : [relation.field]), ...columns].map((name) =>
          labelOf(texts, name),
        ),
        ...(Actions === undefined ? [] : ['']),
      ]}
      minWidth={columns.length > 1 ? 640 : 320}
    >
      {(row) => [
        titleCell(row),
        ...(relation === undefined ? [] : [titleIn(includedIn(included, row, relation) ?? {})]),
        ...columns.map((name) => <Cell key={name} name={name} row={row} />),
        ...(Actions === undefined ? [] : [<Actions key="actions" row={row} />]),
      ]}
    </RowsTable>
  )
}

/** The order of a list: the requested one, if the list has it. */
const orderOf = (orders: readonly string[], requested: string | null): string => {
  if (requested !== null && orders.includes(requested.replace(/\.(asc|desc)$/, ''))) return requested
  if (orders.includes('ord')) return 'ord'
  if (orders.includes('modified')) return 'modified.desc'
  return orders.find((each) => each !== 'distance') ?? ''
}

type ListProps = Special & { readonly resource: ResourceModel }

/** The list of a resource, with its filters and orders. */
export const ResourceList = ({
  resource,
  header: Header,
  actions,
  actionFields = [],
  parentField,
}: ListProps) => {
  const texts = useTexts()
  const { api, iid } = useInstance()
  const { collection, segments, orders, filters } = resource
  const canCreate = usePermission(collection, 'create')
  const { params, page, setPage, set } = useListState()
  const order = orderOf(orders, params.get('order'))
  const names = filters.map(({ name }) => name).filter((name) => name !== 'q')
  const values: Filters = Object.fromEntries([...params].filter(([name]) => names.includes(name)))
  const typed = params.get('q') ?? ''
  const words = isSearchable(typed) ? typed : ''
  const canSearch = filters.some(({ name }) => name === 'q')
  const relations = [relationOf(resource), pictureOf(resource)].filter((each) => each !== undefined)
  const shown = [
    ...relations.map(({ field }) => field),
    ...['state', 'issued', 'path'].filter((name) => resource.columns.includes(name)),
    ...(parentField === undefined ? [] : [parentField]),
    ...actionFields,
  ]
  const searched = words === '' ? [] : ['highlight']
  const query = {
    fields: [
      ...new Set(['uuid', ...titleFieldsOf(collection), ...columnsOf(resource), ...shown, ...searched]),
    ],
    ...(relations.length === 0 ? {} : { include: relations.map(({ name }) => name) }),
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
  const isTree = order === 'tree' && words === ''
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{texts.collections[collection] ?? resource.name}</PageTitle>
        {canCreate && <CreateButton resource={resource} />}
      </Group>
      {Header !== undefined && <Header />}
      <Group gap="sm" align="flex-end">
        {canSearch && <SearchInput value={typed} onSearch={(text) => set({ q: text })} />}
        {orders.length > 0 && (
          <Group gap={4} align="flex-end" wrap="nowrap">
            <NativeSelect
              label={texts.list.order}
              data={orders
                .filter((each) => each !== 'distance')
                .map((each) => ({ value: each, label: labelOf(texts, each) }))}
              value={option}
              onChange={(event) => set({ order: `${event.currentTarget.value}.${direction}` })}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={isDescending ? texts.list.descending : texts.list.ascending}
              onClick={() => set({ order: `${option}.${isDescending ? 'asc' : 'desc'}` })}
            >
              {isDescending ? <IconArrowDown size={16} aria-hidden /> : <IconArrowUp size={16} aria-hidden />}
            </ActionIcon>
          </Group>
        )}
        <FilterBar
          filters={filters}
          values={values}
          onChange={(next) => set({ ...Object.fromEntries(names.map((name) => [name, ''])), ...next })}
        />
      </Group>
      <Loaded query={found}>
        {(listed) => (
          <>
            {!listed.isComplete && <Alert color="yellow">{texts.list.incomplete}</Alert>}
            {listed.rows.length === 0 ? (
              <Text c="dimmed">
                {Object.keys(values).length === 0 && words === ''
                  ? texts.list.empty
                  : texts.list.emptyFiltered}
              </Text>
            ) : (
              <ObjectsTable
                resource={resource}
                found={listed}
                depths={parentField !== undefined && isTree ? depthsIn(listed.rows, parentField) : noDepths}
                {...(actions === undefined ? {} : { actions })}
              />
            )}
            <Pager page={page} hasMore={listed.more} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
