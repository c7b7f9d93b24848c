import { ActionIcon, Button, Collapse, Group, Menu, NativeSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconFilter, IconPlus } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import type { FilterField, ResourceModel } from '@publishing-service/dashboard'
import { isSearchable } from '../../content/search-text.js'
import { depthsIn } from '../../structure/depths-in.js'
import { Loaded } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { Pager } from '../layout/pager.js'
import { SearchInput } from '../layout/search-input.js'
import { canSearch, useInstance, usePermission } from '../service/place.js'
import { useListState } from '../service/list-state.js'
import { useRows } from '../service/use-object.js'
import { collectionName, labelOf, useTexts, wordOf } from '../texts/texts.js'
import { FilterInput } from './filter-input.js'
import { ObjectsTable, tableQuery, type RowActionsProps } from './objects-table.js'

/** Opens the form of a new object; of which variant, is chosen. */
export const CreateButton = ({ resource }: { readonly resource: ResourceModel }) => {
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

type Filters = Readonly<Record<string, string>>

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

/** The order of a list: the requested one, if the list has it. */
const orderOf = (
  orders: readonly string[],
  requested: string | null,
  initial: string | undefined,
): string => {
  if (requested !== null && orders.includes(requested.replace(/\.(asc|desc)$/, ''))) return requested
  if (initial !== undefined) return initial
  if (orders.includes('ord')) return 'ord'
  if (orders.includes('modified')) return 'modified.desc'
  return orders.find((each) => each !== 'distance') ?? ''
}

export type RowsProps = { readonly resource: ResourceModel; readonly rows: readonly JsonObject[] }

type ListProps = {
  readonly resource: ResourceModel
  /** The field that refers to the parent of a row. In the order `tree`, children are indented below their parents. */
  readonly parentField?: string
  /** Shown above the filters. */
  readonly header?: ReactNode
  /** The control that creates an object. Default: a button that opens a form. */
  readonly create?: ReactNode
  /** Filters and other controls of this resource. */
  readonly controls?: ReactNode
  /** Shown at the end of each row. */
  readonly actions?: ComponentType<RowActionsProps>
  /** The fields of a row that its actions, or rows that are shown otherwise, read. */
  readonly rowFields?: readonly string[]
  /** Shows the rows in another way than as a table. */
  readonly rows?: ComponentType<RowsProps>
  readonly initialOrder?: string
  readonly rpp?: number
}

/** The list of a resource, with its filters and orders. */
export const ResourceList = ({
  resource,
  parentField,
  header,
  create = <CreateButton resource={resource} />,
  controls,
  actions,
  rowFields = [],
  rows: Rows,
  initialOrder,
  rpp = 25,
}: ListProps) => {
  const texts = useTexts()
  const { collection, segments, orders, filters } = resource
  const canCreate = usePermission(collection, 'create')
  const { params, page, setPage, set } = useListState()
  const order = orderOf(orders, params.get('order'), initialOrder)
  const names = filters.map(({ name }) => name).filter((name) => name !== 'q')
  const values: Filters = Object.fromEntries([...params].filter(([name]) => names.includes(name)))
  const typed = params.get('q') ?? ''
  const words = isSearchable(typed) ? typed : ''
  const found = useRows(segments, {
    ...tableQuery(resource, [
      ...(parentField === undefined ? [] : [parentField]),
      ...rowFields,
      ...(words === '' ? [] : ['highlight']),
    ]),
    page,
    rpp,
    ...values,
    ...(words === '' ? (order === '' ? {} : { order }) : { q: words }),
  })
  const [option = '', direction = 'asc'] = order.split('.')
  const isDescending = direction === 'desc'
  const isTree = order === 'tree' && words === ''
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collectionName(texts.collections, collection)}</PageTitle>
        {canCreate && create}
      </Group>
      {header}
      <Group gap="sm" align="flex-end">
        {canSearch(collection) && <SearchInput value={typed} onSearch={(text) => set({ q: text })} />}
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
        {controls}
        <FilterBar
          filters={filters}
          values={values}
          onChange={(next) => set({ ...Object.fromEntries(names.map((name) => [name, ''])), ...next })}
        />
      </Group>
      <Loaded query={found}>
        {(listed) => (
          <>
            {listed.rows.length === 0 ? (
              <Text c="dimmed">
                {Object.keys(values).length === 0 && words === ''
                  ? texts.list.empty
                  : texts.list.emptyFiltered}
              </Text>
            ) : Rows === undefined ? (
              <ObjectsTable
                resource={resource}
                found={listed}
                depths={parentField !== undefined && isTree ? depthsIn(listed.rows, parentField) : undefined}
                actions={actions}
              />
            ) : (
              <Rows resource={resource} rows={listed.rows} />
            )}
            <Pager page={page} hasMore={listed.more} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
