import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import { DangerOpener, Dialog } from '../layout/dialog.js'
import { UtcTime } from '../layout/date-time.js'
import { ErrorMessage } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { useInstance, usePermission } from '../service/place.js'
import { useAction } from '../service/use-action.js'
import { collectionName, useTexts } from '../texts/texts.js'

const fields = ['type', 'uuid', 'title', 'deleted', 'deleted_by_name', 'expires'] as const

type Deleted = { readonly collection: string; readonly uuid: string; readonly name: string }

/** Asks before an object is deleted for good. */
const EraseDialog = ({ collection, uuid, name, onClose }: Deleted & { readonly onClose: () => void }) => {
  const { form, trash } = useTexts()
  const { api, iid } = useInstance()
  const { error, isRunning, run } = useAction({ queryKey: [iid, 'trash'] })
  const erase = async () => {
    if (await run(() => api.remove(`trash/${collection}/${uuid}`))) onClose()
  }
  return (
    <Dialog
      title={trash.eraseTitle({ name })}
      onClose={onClose}
      isCautious
      buttons={
        <Button color="red" loading={isRunning} onClick={() => void erase()}>
          {trash.erase}
        </Button>
      }
    >
      <Text size="sm">{form.deleteText}</Text>
      {error !== null && <ErrorMessage error={error} />}
    </Dialog>
  )
}

/** What can be done with a deleted object. `onRestored` receives it once it is restored. */
const Actions = (deleted: Deleted & { readonly onRestored: (restored: Deleted) => void }) => {
  const { trash } = useTexts()
  const { api, iid } = useInstance()
  const { collection, uuid, name, onRestored } = deleted
  const mayCreate = usePermission(collection, 'create')
  const mayErase = usePermission('trash', 'remove')
  const { error, isRunning, run } = useAction({ queryKey: [iid] })
  const restore = async () => {
    if (await run(() => api.restore(`trash/${collection}/${uuid}`, null))) onRestored(deleted)
  }
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {mayCreate && (
          <Button
            size="xs"
            variant="default"
            loading={isRunning}
            aria-label={`${trash.restore}: ${name}`}
            onClick={() => void restore()}
          >
            {trash.restore}
          </Button>
        )}
        {mayErase && (
          <DangerOpener label={trash.erase} name={name} size="xs">
            {(close) => <EraseDialog {...deleted} onClose={close} />}
          </DangerOpener>
        )}
      </Group>
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}

const deletedIn = (row: JsonObject, unnamed: string): Deleted => ({
  collection: String(row['type']),
  uuid: String(row['uuid']),
  name: typeof row['title'] === 'string' ? row['title'] : unnamed,
})

/** The deleted objects that can be restored. */
export const TrashPage = () => {
  const { audit, collections, trash } = useTexts()
  const { api, iid } = useInstance()
  const [restored, setRestored] = useState<Deleted | null>(null)
  return (
    <Stack>
      <PageTitle>{collections.trash}</PageTitle>
      <Text size="sm">{trash.text}</Text>
      {/* It is announced when it changes. */}
      <Text size="sm" role="status">
        {restored !== null && (
          <>
            {trash.restored}{' '}
            <Link href={`/${iid}/${restored.collection}/${restored.uuid}`}>{restored.name}</Link>
          </>
        )}
      </Text>
      <PagedTable
        queryKey={[iid, 'trash']}
        read={(page, signal) => api.list('trash', { fields, ...page }, signal)}
        keyOf={({ uuid, deleted }) => `${String(uuid)} ${String(deleted)}`}
        head={[trash.object, trash.deleted, trash.until, '']}
        empty={trash.none}
        minWidth={640}
      >
        {(row) => {
          const kind = String(row['type'])
          const deleted = deletedIn(row, audit.unnamed({ collection: collectionName(collections, kind) }))
          return [
            <Group key="object" gap="xs">
              <Text size="sm">{deleted.name}</Text>
              <Badge variant="light" color="gray" size="sm" miw="fit-content">
                {collectionName(collections, kind)}
              </Badge>
            </Group>,
            <Stack key="deleted" gap={0}>
              <UtcTime value={row['deleted'] ?? null} />
              <Text size="xs" c="dimmed">
                {String(row['deleted_by_name'] ?? '')}
              </Text>
            </Stack>,
            <UtcTime key="until" value={row['expires'] ?? null} />,
            <Actions key="actions" {...deleted} onRestored={setRestored} />,
          ]
        }}
      </PagedTable>
    </Stack>
  )
}
