import { ActionIcon, Alert, Badge, Group, Stack, Text } from '@mantine/core'
import { IconIndentDecrease, IconIndentIncrease, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import type { ResourceModel } from '@publishing-service/dashboard'
import {
  movedBelow,
  reordered,
  treeOf,
  withChanges,
  type SectionChange,
  type SectionNode,
  type SectionRow,
} from '../../structure/section-tree.js'
import { SiteIcon, useSiteAddress } from '../publication/site-link.js'
import { IconAction } from '../layout/icon-action.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { CreateButton } from '../resource/resource-list.js'
import type { Api } from '../service/api.js'
import { useInstance, usePermission } from '../service/place.js'
import { isServiceError } from '../service/session.js'
import { OrderedList } from '../sorting/ordered-list.js'
import { PageTitle } from '../layout/page-title.js'
import { collectionName, useTexts } from '../texts/texts.js'
import classes from './structure.module.css'

const fields = ['uuid', 'title', 'parent_uuid', 'ord', 'hide_in_nav', 'path']

const rowOf = ({ uuid, title, parent_uuid, ord, hide_in_nav, path }: JsonObject): SectionRow => ({
  uuid: String(uuid),
  title: typeof title === 'string' ? title : '',
  parent: typeof parent_uuid === 'string' ? parent_uuid : null,
  ord: typeof ord === 'number' ? ord : null,
  isHidden: hide_in_nav === true,
  path: typeof path === 'string' ? path : null,
})

const readSections = async (api: Api, signal: AbortSignal): Promise<readonly SectionRow[]> =>
  (await api.listAll('sections', { fields, order: 'ord' }, signal)).map(rowOf)

/** Another client moved the section meanwhile. */
class StaleSection extends Error {}

/** Moves a section if it is where the tree had it. */
const moveSection = async (api: Api, { section, changes }: SectionChange): Promise<void> => {
  const path = `sections/${section.uuid}`
  const { value, tag } = await api.read(path)
  const { ord, parent } = rowOf(value)
  if (ord !== section.ord || parent !== section.parent) throw new StaleSection()
  await api.change(path, changes, tag)
}

const isStale = (error: unknown): boolean =>
  error instanceof StaleSection || (isServiceError(error) && error.status === 412)

type LevelProps = {
  readonly nodes: readonly SectionNode[]
  /** The section above, and its siblings. */
  readonly parent: SectionNode | null
  readonly above: readonly SectionNode[]
  readonly isAllowed: boolean
  readonly canCreate: boolean
  readonly apply: (changes: readonly SectionChange[]) => void
}

/** The sections of one level, each with those below it. */
const Level = ({ nodes, parent, above, ...level }: LevelProps) => {
  const { isAllowed, canCreate, apply } = level
  const { structure } = useTexts()
  const { iid } = useInstance()
  const addressOf = useSiteAddress()
  return (
    <OrderedList
      items={nodes}
      onChange={(order) => apply(reordered(order))}
      labelOf={({ title }) => title}
      keyOf={({ uuid }) => uuid}
      isAllowed={isAllowed}
      rowClass={classes['section']}
      actions={(node, index) => {
        const previous = nodes[index - 1]
        return (
          <>
            <IconAction
              icon={IconIndentDecrease}
              label={`${structure.outdent}: ${node.title}`}
              title={structure.outdent}
              disabled={parent === null}
              onClick={() => apply([movedBelow(node, parent?.parent ?? null, above)])}
            />
            <IconAction
              icon={IconIndentIncrease}
              label={`${structure.indent}: ${node.title}`}
              title={structure.indent}
              disabled={previous === undefined}
              onClick={() => {
                if (previous !== undefined) apply([movedBelow(node, previous.uuid, previous.children)])
              }}
            />
            {canCreate && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                component={Link}
                href={`/${iid}/sections/new?parent_uuid=${node.uuid}`}
                aria-label={`${structure.createBelow}: ${node.title}`}
                title={structure.createBelow}
              >
                <IconPlus size={16} aria-hidden />
              </ActionIcon>
            )}
          </>
        )
      }}
      below={(node) =>
        node.children.length > 0 && (
          <div className={classes['below']}>
            <Level {...level} nodes={node.children} parent={node} above={nodes} />
          </div>
        )
      }
    >
      {(node) => {
        const address = addressOf({ path: node.path })
        return (
          <>
            <Link href={`/${iid}/sections/${node.uuid}`} className="row-link">
              {node.title}
            </Link>
            {address !== null && <SiteIcon address={address} title={node.title} />}
            {node.isHidden && (
              <Badge variant="light" color="gray" size="sm">
                {structure.hidden}
              </Badge>
            )}
          </>
        )
      }}
    </OrderedList>
  )
}

/**
 * All sections as a tree. A move is shown at once and saved, one after the other. If one cannot be saved, the tree shows
 * what is stored.
 */
export const SectionsPage = ({ resource }: { readonly resource: ResourceModel }) => {
  const { collection } = resource
  const { collections, errors, structure } = useTexts()
  const { api, iid } = useInstance()
  const queries = useQueryClient()
  const isAllowed = usePermission(collection, 'update')
  const canCreate = usePermission(collection, 'create')
  const [error, setError] = useState<unknown>(null)
  const queryKey = [iid, collection, 'tree']
  const found = useQuery({ queryKey, queryFn: ({ signal }) => readSections(api, signal) })
  const mutationKey = [iid, 'move sections']
  const moving = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: async (changes: readonly SectionChange[]) => {
      for (const change of changes) await moveSection(api, change)
    },
    onError: setError,
    onSettled: async () => {
      if (queries.isMutating({ mutationKey }) === 1) await queries.invalidateQueries({ queryKey: [iid] })
    },
  })
  const apply = (changes: readonly SectionChange[]) => {
    setError(null)
    void queries.cancelQueries({ queryKey })
    queries.setQueryData<readonly SectionRow[]>(queryKey, (rows) => rows && withChanges(rows, changes))
    moving.mutate(changes)
  }
  return (
    <Stack maw={860}>
      <Group justify="space-between">
        <PageTitle>{collectionName(collections, collection)}</PageTitle>
        {canCreate && <CreateButton resource={resource} />}
      </Group>
      {isAllowed && (
        <Text size="sm" c="dimmed">
          {structure.sectionsHelp}
        </Text>
      )}
      {isStale(error) ? (
        <Alert color="yellow" role="alert">
          {errors.stale}
        </Alert>
      ) : (
        error !== null && <ErrorMessage error={error} />
      )}
      <Loaded query={found}>
        {(rows) => (
          <Level
            nodes={treeOf(rows)}
            parent={null}
            above={[]}
            isAllowed={isAllowed}
            canCreate={canCreate}
            apply={apply}
          />
        )}
      </Loaded>
    </Stack>
  )
}
