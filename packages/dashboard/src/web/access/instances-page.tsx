import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { dataOf, type Client } from '@publishing-service/client'
import type { Json, JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { Dialog, DialogOpener } from '../layout/dialog.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { Pager } from '../layout/pager.js'
import { RowsTable } from '../layout/rows-table.js'
import { FieldInputs } from '../resource/resource-form.js'
import { SaveErrors } from '../resource/save-bar.js'
import { useListState } from '../service/list-state.js'
import { useService } from '../service/service-context.js'
import { useAction } from '../service/use-action.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { labelOf, useTexts } from '../texts/texts.js'

const rpp = 50

const initial: JsonObject = { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }

/** The other settings can be changed in the instance. */
const required = model.settings.filter(({ isRequired }) => isRequired)

/** New roles apply within five seconds (docs/behaviour/access.md). */
const untilRolesApply = async (client: Client, instance: Json | undefined): Promise<void> => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { items } = dataOf(await client.GET('/me', { cache: 'no-cache' }))
    if (items.some(({ id }) => id === instance)) return
    await new Promise((resolve) => {
      setTimeout(resolve, 500)
    })
  }
}

type OpenProps = { readonly onClose: () => void }

const CreateInstance = ({ onClose }: OpenProps) => {
  const { access, form } = useTexts()
  const { api, me } = useService()
  const queries = useQueryClient()
  const draft = useDraft(initial)
  const saving = useSave((body) => api.create('instances', body), null)
  const [isOpening, setOpening] = useState(false)
  /** Makes the creator its admin, because an operator alone could not open it. */
  const create = async () => {
    const saved = await saving.save(draft.value, null)
    if (saved === null) return
    const { id } = saved.value
    setOpening(true)
    await api.replace(`users/${me.uuid}/roles/${String(id)}`, { roles: ['admin'] })
    await untilRolesApply(api.client, id)
    onClose()
    await queries.invalidateQueries()
  }
  return (
    <Dialog
      title={access.createInstance}
      onClose={onClose}
      buttons={
        <Button onClick={() => void create()} loading={saving.isSaving || isOpening}>
          {form.create}
        </Button>
      }
    >
      <FieldInputs fields={required} draft={draft} faults={saving.faults} isNew />
      <SaveErrors {...saving} />
    </Dialog>
  )
}

type DeleteProps = OpenProps & { readonly id: number; readonly title: string }

/** Deletes an instance after its title was typed. */
const DeleteInstance = ({ id, title, onClose }: DeleteProps) => {
  const { access, form } = useTexts()
  const { api } = useService()
  const [typed, setTyped] = useState('')
  const { error, run } = useAction()
  const remove = async () => {
    if (await run(() => api.remove(`instances/${id}`, { title: typed }))) onClose()
  }
  return (
    <Dialog
      title={form.deleteTitle(title)}
      onClose={onClose}
      buttons={
        <Button color="red" disabled={typed !== title} onClick={() => void remove()}>
          {form.delete}
        </Button>
      }
    >
      <Text size="sm">{access.deleteInstanceText}</Text>
      <TextInput
        label={access.typeTitle(title)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      {error !== null && <ErrorMessage error={error} />}
    </Dialog>
  )
}

/** All instances of the service. */
export const InstancesPage = () => {
  const texts = useTexts()
  const { collections, form, list, shell } = texts
  const { api, me } = useService()
  const { page, setPage } = useListState()
  const query = { fields: ['id', 'title', 'timezone'], page, rpp }
  const found = useQuery({
    queryKey: ['instances', query],
    queryFn: ({ signal }) => api.list('instances', query, signal),
    placeholderData: keepPreviousData,
  })
  const own = new Set<Json>(me.items.map(({ id }) => id))
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections['instances']}</PageTitle>
        <DialogOpener
          button={(open) => (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
              {list.create}
            </Button>
          )}
        >
          {(close) => <CreateInstance onClose={close} />}
        </DialogOpener>
      </Group>
      <Loaded query={found}>
        {({ rows, hasMore }) => (
          <>
            <RowsTable
              rows={rows}
              keyOf={({ id }) => Number(id)}
              head={[shell.switchInstance, labelOf(texts, 'timezone'), '']}
            >
              {({ id = null, title, timezone }) => [
                <div key="title">
                  {own.has(id) ? (
                    <Anchor component={Link} href={`/${String(id)}`}>
                      {String(title)}
                    </Anchor>
                  ) : (
                    String(title)
                  )}
                  <Text span c="dimmed" size="sm">
                    {' '}
                    /{String(id)}
                  </Text>
                </div>,
                String(timezone),
                <DialogOpener
                  key="delete"
                  button={(open) => (
                    <Button
                      variant="subtle"
                      color="red"
                      size="xs"
                      onClick={open}
                      aria-label={`${form.delete}: ${String(title)}`}
                    >
                      {form.delete}
                    </Button>
                  )}
                >
                  {(close) => <DeleteInstance id={Number(id)} title={String(title)} onClose={close} />}
                </DialogOpener>,
              ]}
            </RowsTable>
            <Pager page={page} hasMore={hasMore} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
