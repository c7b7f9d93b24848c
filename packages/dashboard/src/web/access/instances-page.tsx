import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { dataOf, type Client } from '@publishing-service/client'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { CreateOpener, DangerOpener, Dialog } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { FieldInputs } from '../resource/resource-form.js'
import { SaveErrors } from '../resource/save-bar.js'
import { useService } from '../service/place.js'
import { useAction } from '../service/use-action.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { labelOf, useTexts } from '../texts/texts.js'

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
      title={form.deleteTitle({ title })}
      onClose={onClose}
      buttons={
        <Button color="red" disabled={typed !== title} onClick={() => void remove()}>
          {form.delete}
        </Button>
      }
    >
      <Text size="sm">{access.deleteInstanceText}</Text>
      <TextInput
        label={access.typeTitle({ title })}
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
  const { collections, form, shell } = texts
  const { api, me } = useService()
  const own = new Set(me.items.map(({ id }) => id))
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections.instances}</PageTitle>
        <CreateOpener>{(close) => <CreateInstance onClose={close} />}</CreateOpener>
      </Group>
      <PagedTable
        queryKey={['instances', 'list']}
        read={(page, signal) =>
          api.list('instances', { fields: ['id', 'title', 'timezone'], ...page }, signal)
        }
        keyOf={({ id }) => Number(id)}
        head={[shell.switchInstance, labelOf(texts, 'timezone'), '']}
      >
        {(row) => {
          const [id, title] = [Number(row['id']), String(row['title'])]
          return [
            <div key="title">
              {own.has(id) ? (
                <Anchor component={Link} href={`/${id}`}>
                  {title}
                </Anchor>
              ) : (
                title
              )}
              <Text span c="dimmed" size="sm">
                {' '}
                /{id}
              </Text>
            </div>,
            String(row['timezone']),
            <DangerOpener key="delete" label={form.delete} name={title} size="xs">
              {(close) => <DeleteInstance id={id} title={title} onClose={close} />}
            </DangerOpener>,
          ]
        }}
      </PagedTable>
    </Stack>
  )
}
