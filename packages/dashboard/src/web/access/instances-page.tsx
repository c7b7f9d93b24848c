import { Anchor, Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Json, JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { Pager } from '../layout/pager.js'
import { FieldInputs } from '../resource/resource-form.js'
import { SaveErrors } from '../resource/save-bar.js'
import type { Api } from '../service/api.js'
import { useListState } from '../service/list-state.js'
import { useService, type Me } from '../service/service-context.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { PageTitle } from '../layout/page-title.js'
import { useTexts } from '../texts/texts.js'

const rpp = 50

const initial: JsonObject = { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }

/** The other settings can be changed in the instance. */
const required = model.settings.filter(({ isRequired }) => isRequired)

/** New roles apply within five seconds (docs/behaviour/access.md). */
const untilRolesApply = async (api: Api, instance: Json | undefined): Promise<void> => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { value } = await api.read('me')
    if ((value as unknown as Me).items.some(({ id }) => id === instance)) return
    await new Promise((resolve) => {
      setTimeout(resolve, 500)
    })
  }
}

const CreateInstance = () => {
  const { access, form, list } = useTexts()
  const { api, me } = useService()
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure(false)
  const draft = useDraft(initial)
  const saving = useSave((body) => api.create('instances', body), null)
  const [isOpening, setOpening] = useState(false)
  /** Makes the creator its admin, because an operator alone could not open it. */
  const create = async () => {
    const saved = await saving.save(draft.value, null)
    if (saved === null) return
    const path = `users/${me.uuid}/roles/${String(saved.value['id'])}`
    setOpening(true)
    await api.replace(path, { roles: ['admin'] })
    await untilRolesApply(api, saved.value['id'])
    setOpening(false)
    draft.reset()
    close()
    await queries.invalidateQueries()
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {list.create}
      </Button>
      <Modal opened={isOpen} onClose={close} title={access.createInstance} centered>
        <Stack>
          <FieldInputs fields={required} draft={draft} faults={saving.faults} isNew />
          <SaveErrors {...saving} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {form.cancel}
            </Button>
            <Button onClick={() => void create()} loading={saving.isSaving || isOpening}>
              {form.create}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** Deletes an instance after its title was typed. */
const DeleteInstance = ({ id, title }: { readonly id: number; readonly title: string }) => {
  const { access, form } = useTexts()
  const { api } = useService()
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure(false)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<unknown>(null)
  const remove = async () => {
    try {
      await api.remove(`instances/${id}`, { title: typed })
      close()
      await queries.invalidateQueries()
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      <Button variant="subtle" color="red" size="xs" onClick={open} aria-label={`${form.delete}: ${title}`}>
        {form.delete}
      </Button>
      <Modal opened={isOpen} onClose={close} title={form.deleteTitle(title)} centered>
        <Stack>
          <Text size="sm">{access.deleteInstanceText}</Text>
          <TextInput
            label={access.typeTitle(title)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
          {error !== null && <ErrorMessage error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {form.cancel}
            </Button>
            <Button color="red" disabled={typed !== title} onClick={() => void remove()}>
              {form.delete}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** All instances of the service. */
export const InstancesPage = () => {
  const { access, collections, list, shell } = useTexts()
  const { api, me } = useService()
  const { page, setPage } = useListState()
  const query = { fields: ['id', 'title', 'timezone'], page, rpp }
  const found = useQuery({
    queryKey: ['instances', query],
    queryFn: ({ signal }) => api.list('instances', query, signal),
    placeholderData: keepPreviousData,
  })
  const own = new Set(me.items.map(({ id }) => id))
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections['instances']}</PageTitle>
        <CreateInstance />
      </Group>
      <Loaded query={found}>
        {({ rows, hasMore }) => (
          <>
            {rows.length === 0 && <Text c="dimmed">{list.empty}</Text>}
            <Table.ScrollContainer minWidth={420}>
              <Table highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{shell.switchInstance}</Table.Th>
                    <Table.Th>{access.timeZone}</Table.Th>
                    <Table.Th />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map(({ id, title, timezone }) => (
                    <Table.Tr key={String(id)}>
                      <Table.Td>
                        {own.has(Number(id)) ? (
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
                      </Table.Td>
                      <Table.Td>{String(timezone)}</Table.Td>
                      <Table.Td ta="right">
                        <DeleteInstance id={Number(id)} title={String(title)} />
                      </Table.Td>
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
