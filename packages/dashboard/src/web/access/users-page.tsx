import { Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { model } from 'virtual:model'
import { CreateOpener, Dialog } from '../layout/dialog.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { FieldInputs } from '../resource/resource-form.js'
import { SaveErrors } from '../resource/save-bar.js'
import { useService } from '../service/place.js'
import { navigate } from '../service/unsaved.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { labelOf, useTexts } from '../texts/texts.js'

const CreateUser = ({ onClose }: { readonly onClose: () => void }) => {
  const { access, form, roles } = useTexts()
  const { api, base, instance } = useService()
  const draft = useDraft({})
  const [role, setRole] = useState('editor')
  const saving = useSave((body) => api.create('users', body), null)
  const create = async () => {
    const held = instance === null ? [] : [{ instance: instance.iid, roles: [role] }]
    const saved = await saving.save({ ...draft.value, roles: held }, null)
    if (saved !== null) navigate(`${base}/users/${String(saved.value['uuid'])}`)
  }
  return (
    <Dialog
      title={access.createUser}
      onClose={onClose}
      buttons={
        <Button onClick={() => void create()} loading={saving.isSaving} disabled={!draft.isChanged}>
          {form.create}
        </Button>
      }
    >
      <FieldInputs fields={model.user} draft={draft} faults={saving.faults} isNew />
      {instance !== null && (
        <NativeSelect
          label={access.roleOn(instance.title)}
          data={model.roles.map((value) => ({ value, label: roles[value] }))}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value)}
        />
      )}
      <SaveErrors {...saving} />
    </Dialog>
  )
}

/** The API users that the signed-in user may see. */
export const UsersPage = () => {
  const texts = useTexts()
  const { access, collections } = texts
  const { api, base, me } = useService()
  const titles = new Map(me.items.map(({ id, title }) => [id, title]))
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections['users']}</PageTitle>
        <CreateOpener>{(close) => <CreateUser onClose={close} />}</CreateOpener>
      </Group>
      <Text size="sm" c="dimmed" maw={720}>
        {access.usersIntro}
      </Text>
      <PagedTable
        queryKey={['users', 'list']}
        read={(page, signal) =>
          api.client.page('/users', {
            query: { fields: ['uuid', 'name', 'operator', 'roles'], order: ['name'], ...page },
            signal,
          })
        }
        keyOf={({ uuid }) => uuid}
        head={[labelOf(texts, 'name'), access.roles]}
      >
        {({ uuid, name, operator, roles }) => [
          <Link key="name" href={`${base}/users/${uuid}`} className="row-link">
            {name}
          </Link>,
          <Group key="roles" gap={4}>
            {operator && <Badge color="grape">{access.operator}</Badge>}
            {roles.map(({ instance, roles: held }) => (
              <Badge key={instance} variant="light" h="auto" styles={{ label: { whiteSpace: 'normal' } }}>
                {titles.get(instance) ?? instance}: {held.map((role) => texts.roles[role]).join(', ')}
              </Badge>
            ))}
          </Group>,
        ]}
      </PagedTable>
    </Stack>
  )
}
