import { Badge, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { dayAfter, startOfDay } from '../../publication/zone-time.js'
import { ChangeSentence } from '../layout/change-sentence.js'
import { UtcTime } from '../layout/date-time.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { PeriodInput } from '../resource/filter-input.js'
import { useService } from '../service/place.js'
import { isJsonObject } from '../../json.js'
import { useListState } from '../service/list-state.js'
import type { Texts } from '../../texts/languages.js'
import { collectionName, labelOf, useTexts, wordOf } from '../texts/texts.js'

const fields = [
  'uuid',
  'created',
  'name',
  'operation',
  'collection',
  'object',
  'title',
  'address',
  'changes',
  'instance',
]

const objectPath = (base: string, row: JsonObject): string | null => {
  const { collection, object, instance, changes, operation } = row
  if (typeof collection !== 'string' || typeof object !== 'string') return null
  if (collection === 'users' && operation !== 'removeUser') return `${base}/users/${object}`
  if (collection === 'keys' && isJsonObject(changes) && typeof changes['user'] === 'string')
    return `${base}/users/${changes['user']}`
  const isResource = model.resources.some((resource) => resource.collection === collection)
  return isResource && typeof instance === 'number' && operation !== 'removeObject'
    ? `/${instance}/${collection}/${object}`
    : null
}

type Row = { readonly row: JsonObject }

/** What an entry is about, with a link to what still exists. */
const Changed = ({ row }: Row) => {
  const { audit, collections } = useTexts()
  const { base } = useService()
  const path = objectPath(base, row)
  const { title, object, collection } = row
  const kind = String(collection)
  const isNamed = typeof title === 'string'
  const name = isNamed
    ? audit.quoted({ title })
    : kind === 'keys'
      ? String(object)
      : audit.unnamed({ collection: collectionName(collections, kind) })
  return path === null ? name : <Link href={path}>{name}</Link>
}

const wordsOf = (texts: Texts, value: Json | undefined): string => {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '–'
  if (Array.isArray(value)) return value.map((each: Json) => wordsOf(texts, each)).join(', ')
  if (typeof value === 'boolean') return value ? texts.form.yes : texts.form.no
  if (typeof value !== 'string') return JSON.stringify(value)
  const role = model.roles.find((each) => each === value)
  return role === undefined ? wordOf(texts, value) : texts.roles[role]
}

/** Changes that the sentence says or links to. */
const inSentence = new Set(['state', 'user', 'outcome'])

/** What else changed in users, roles, instances and settings. */
const Details = ({ row: { changes } }: Row) => {
  const texts = useTexts()
  const { operator, revoked, roles } = texts.access
  const labels: Readonly<Record<string, string>> = { operator, revoked, roles }
  if (!isJsonObject(changes)) return null
  const lines = Object.entries(changes).filter(([each]) => !inSentence.has(each))
  return lines.map(([each, value]) => (
    <Text key={each} size="xs" c="dimmed" className="version">
      {labels[each] ?? labelOf(texts, each)}:{' '}
      {isJsonObject(value) && Object.hasOwn(value, 'after')
        ? `${wordsOf(texts, value['before'])} → ${wordsOf(texts, value['after'])}`
        : wordsOf(texts, value)}
    </Text>
  ))
}

/** “Anna made ‘Fog’ public.” */
const Sentence = ({ row }: Row) => {
  const { collections } = useTexts()
  return (
    <>
      <Group gap="xs">
        <ChangeSentence row={row}>
          <Changed row={row} />
        </ChangeSentence>
        <Badge variant="light" color="gray" size="sm" miw="fit-content">
          {collectionName(collections, String(row['collection']))}
        </Badge>
      </Group>
      <Details row={row} />
    </>
  )
}

/** Chooses one person, whose changes are shown. */
const PersonSelect = ({ value, onChange }: { value: string; onChange: (user: string) => void }) => {
  const { audit, list } = useTexts()
  const { api, base } = useService()
  const { data } = useQuery({
    queryKey: ['users', 'names', base],
    queryFn: ({ signal }) =>
      api.client.page('/users', {
        query: { fields: ['uuid', 'name'], order: ['name'], rpp: model.maxRpp },
        signal,
      }),
  })
  const users = (data?.rows ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))
  const isKnown = value === '' || users.some((user) => user.value === value)
  return (
    <NativeSelect
      label={audit.who}
      data={[{ value: '', label: list.any }, ...users, ...(isKnown ? [] : [{ value, label: value }])]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** A day of the address; empty if it is none. */
const dayIn = (text: string | null): string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

/** The period of UTC of these days of a zone, both included. */
const periodOf = (zone: string, from: string, to: string): string =>
  `${from === '' ? '' : startOfDay(zone, from)}_${to === '' ? '' : startOfDay(zone, dayAfter(to))}`

/** Who has changed what, newest first: on this instance, or on all for an operator. */
export const AuditPage = () => {
  const { access, audit, collections } = useTexts()
  const { api, base, instance } = useService()
  const timezone = instance?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const { params, set } = useListState()
  const from = dayIn(params.get('from'))
  const to = dayIn(params.get('to'))
  const user = params.get('user') ?? ''
  const query = {
    fields,
    ...(from === '' && to === '' ? {} : { created: periodOf(timezone, from, to) }),
    ...(user === '' ? {} : { users: user }),
  }
  return (
    <Stack>
      <PageTitle>{collections.audit}</PageTitle>
      <Group align="flex-end">
        <PersonSelect value={user} onChange={(next) => set({ user: next })} />
        <PeriodInput
          label={audit.when}
          value={[from, to]}
          onChange={([first, last]) => set({ from: first, to: last })}
        />
      </Group>
      <PagedTable
        queryKey={['audit', base, query]}
        read={(page, signal) => (instance?.api ?? api).list('audit', { ...query, ...page }, signal)}
        keyOf={({ uuid }) => String(uuid)}
        head={[audit.when, audit.what, access.address]}
        minWidth={640}
      >
        {(row) => [
          <UtcTime key="created" value={row['created'] ?? null} />,
          <Sentence key="sentence" row={row} />,
          row['address'] === null ? '' : String(row['address']),
        ]}
      </PagedTable>
    </Stack>
  )
}
