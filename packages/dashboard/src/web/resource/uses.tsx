import { Anchor, Badge, Fieldset, Group, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import type { ResourceModel } from '@publishing-service/dashboard'
import { model } from 'virtual:model'
import { isLive, usersOf } from '../../structure/uses.js'
import { ErrorMessage, Loading } from '../layout/messages.js'
import { useInstanceTime } from '../publication/publication-status.js'
import { mayAct, useInstance } from '../service/place.js'
import { titleFieldsOf, titleIn } from '../service/titles.js'
import { collectionName, useTexts } from '../texts/texts.js'
import type { SidePanelProps } from './resource-editor.js'

const maxShown = 10

type Group = {
  readonly resource: ResourceModel
  readonly filter: string
  readonly rows: readonly JsonObject[]
  readonly more: boolean
}

export type Uses = {
  readonly groups: readonly Group[]
  readonly error: unknown
  readonly isLoading: boolean
  /** Whether the public sees some of them, or might, because not all are read. */
  readonly isLive: boolean
}

/** The objects that use any of these objects of a collection, as far as lists can be filtered by them. */
export const useUses = (collection: string, uuids: readonly string[]): Uses => {
  const { api, iid, role } = useInstance()
  const now = useInstanceTime()
  const users = usersOf(model.resources, collection).filter(({ resource }) =>
    mayAct(role, resource.collection, 'read'),
  )
  const found = useQueries({
    queries: users.map(({ resource, filter }) => {
      const stated = ['state', 'issued'].filter((name) => resource.columns.includes(name))
      const query = {
        fields: ['uuid', ...titleFieldsOf(resource.collection), ...stated],
        [filter]: uuids.join('_'),
        rpp: maxShown,
      }
      return {
        queryKey: [iid, resource.collection, query],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => api.list(resource.segments, query, signal),
        enabled: uuids.length > 0,
      }
    }),
  })
  const groups = users.map((user, index): Group => ({
    ...user,
    rows: [],
    more: false,
    ...found[index]?.data,
  }))
  const error = found.find((each) => each.error !== null)?.error ?? null
  return {
    groups: groups.filter(({ rows }) => rows.length > 0),
    error,
    isLoading: error === null && found.some(({ isLoading }) => isLoading),
    isLive: error !== null || groups.some(({ rows, more }) => more || rows.some((row) => isLive(row, now))),
  }
}

type ListProps = { readonly uses: Uses; readonly uuids: readonly string[]; readonly none: string }

/** Where objects are used, with links. */
export const UsesList = ({ uses: { groups, error, isLoading }, uuids, none }: ListProps) => {
  const { library, collections, list } = useTexts()
  const { iid } = useInstance()
  return (
    <Stack gap="xs">
      {groups.map(({ resource: { collection }, filter, rows, more }) => {
        const name = collectionName(collections, collection)
        return (
          <Stack key={collection} gap="xs">
            {rows.map((row) => (
              <Group key={String(row['uuid'])} gap="xs" justify="space-between" wrap="nowrap">
                <Link href={`/${iid}/${collection}/${String(row['uuid'])}`} className="row-link">
                  {titleIn(row) ?? list.untitled}
                </Link>
                <Badge variant="light" color="gray" size="sm" miw="fit-content">
                  {name}
                </Badge>
              </Group>
            ))}
            {more && (
              <Anchor component={Link} href={`/${iid}/${collection}?${filter}=${uuids.join('_')}`} size="sm">
                {library.moreUses({ collection: name })}
              </Anchor>
            )}
          </Stack>
        )
      })}
      {error !== null && <ErrorMessage error={error} />}
      {isLoading && <Loading />}
      {error === null && !isLoading && groups.length === 0 && none !== '' && <Text size="sm">{none}</Text>}
    </Stack>
  )
}

/** The objects that use a file. */
export const FileUses = ({ uuid }: SidePanelProps) => {
  const { library } = useTexts()
  return (
    <Fieldset legend={library.uses}>
      <UsesList uses={useUses('files', [uuid])} uuids={[uuid]} none={library.noUses} />
    </Fieldset>
  )
}
