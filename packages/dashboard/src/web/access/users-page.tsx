import { Badge, Button, Group, Modal, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link } from 'wouter'
import type { InstanceRoles, Role } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { Loaded } from '../layout/messages.js'
import { Pager } from '../layout/pager.js'
import { SaveErrors } from '../resource/save-bar.js'
import { CurrentInstance } from '../service/instance-context.js'
import { useListState } from '../service/list-state.js'
import { useService } from '../service/service-context.js'
import { navigate } from '../service/unsaved.js'
import { useSave } from '../service/use-save.js'
import { PageTitle } from '../layout/page-title.js'
import { useTexts } from '../texts/texts.js'

const rpp = 50

const CreateUser = () => {
  const { access, form, list, roles } = useTexts()
  const { api, base } = useService()
  const instance = use(CurrentInstance)
  const [isOpen, { open, close }] = useDisclosure(false)
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const saving = useSave((body) => api.create('users', body), null)
  const create = async () => {
    const held = instance === null ? [] : [{ instance: instance.iid, roles: [role] }]
    const saved = await saving.save({ name, roles: held }, null)
    if (saved !== null) navigate(`${base}/users/${String(saved.value['uuid'])}`)
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {list.create}
      </Button>
      <Modal opened={isOpen} onClose={close} title={access.createUser} centered>
        <Stack>
          <TextInput
            label={access.name}
            description={access.nameHelp}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={saving.faults['name']}
            required
            data-autofocus
          />
          {instance !== null && (
            <NativeSelect
              label={access.roleOn(instance.title)}
              data={model.roles.map((value) => ({ value, label: roles[value] }))}
              value={role}
              onChange={(event) => setRole(event.currentTarget.value as Role)}
            />
          )}
          <SaveErrors {...saving} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {form.cancel}
            </Button>
            <Button onClick={() => void create()} loading={saving.isSaving} disabled={name.trim() === ''}>
              {form.create}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** The API users that the signed-in user may see. */
export const UsersPage = () => {
  const texts = useTexts()
  const { access, collections } = texts
  const { api, base, me } = useService()
  const titles = new Map(me.items.map(({ id, title }) => [id, title]))
  const { page, setPage } = useListState()
  const query = { fields: ['uuid', 'name', 'operator', 'roles'], order: 'name', page, rpp }
  const found = useQuery({
    queryKey: ['users', 'list', query],
    queryFn: ({ signal }) => api.list('users', query, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections['users']}</PageTitle>
        <CreateUser />
      </Group>
      <Text size="sm" c="dimmed" maw={720}>
        {access.usersIntro}
      </Text>
      <Loaded query={found}>
        {({ rows, hasMore }) => (
          <>
            <Table highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{access.name}</Table.Th>
                  <Table.Th>{access.roles}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row) => (
                  <Table.Tr key={String(row['uuid'])}>
                    <Table.Td>
                      <Link href={`${base}/users/${String(row['uuid'])}`} className="row-link">
                        {String(row['name'])}
                      </Link>
                    </Table.Td>
                    <Table.Td>
                      <Group gap={4}>
                        {row['operator'] === true && <Badge color="grape">{access.operator}</Badge>}
                        {((row['roles'] ?? []) as readonly InstanceRoles[]).map(({ instance, roles }) => (
                          <Badge
                            key={instance}
                            variant="light"
                            h="auto"
                            styles={{ label: { whiteSpace: 'normal' } }}
                          >
                            {titles.get(instance) ?? instance}:{' '}
                            {roles.map((role) => texts.roles[role]).join(', ')}
                          </Badge>
                        ))}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Pager page={page} hasMore={hasMore} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
