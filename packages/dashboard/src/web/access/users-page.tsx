import { Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { model } from 'virtual:model'
import { DialogOpener, Dialog } from '../layout/dialog.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { FieldInputs } from '../resource/resource-form.js'
import { SaveErrors } from '../resource/save-bar.js'
import { useListState } from '../service/list-state.js'
import { useService } from '../service/place.js'
import { navigate } from '../service/unsaved.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { InvitePerson } from './invite-person.js'

/** Programs have no address. */
const nameOnly = model.user.filter(({ name }) => name === 'name')

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
      title={access.createProgram}
      onClose={onClose}
      buttons={
        <Button onClick={() => void create()} loading={saving.isSaving} disabled={!draft.isChanged}>
          {form.create}
        </Button>
      }
    >
      <FieldInputs fields={nameOnly} draft={draft} faults={saving.faults} isNew />
      {instance !== null && (
        <NativeSelect
          label={access.roleOn({ title: instance.title })}
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
  const { access, collections, list } = texts
  const { api, base, me } = useService()
  const { params, set } = useListState()
  const disabled = params.get('disabled') ?? ''
  const titles = new Map(me.items.map(({ id, title }) => [id, title]))
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections.users}</PageTitle>
        <Group gap="xs">
          <DialogOpener
            button={(open) => (
              <Button variant="default" onClick={open}>
                {access.createProgram}
              </Button>
            )}
          >
            {(close) => <CreateUser onClose={close} />}
          </DialogOpener>
          <DialogOpener
            button={(open) => (
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
                {access.invite}
              </Button>
            )}
          >
            {(close) => <InvitePerson onClose={close} />}
          </DialogOpener>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" maw={720}>
        {access.usersIntro}
      </Text>
      <NativeSelect
        label={access.show}
        maw={220}
        data={[
          { value: '', label: list.any },
          { value: 'false', label: access.enabled },
          { value: 'true', label: access.disabled },
        ]}
        value={disabled}
        onChange={({ currentTarget: { value } }) => set({ disabled: value })}
      />
      <PagedTable
        queryKey={['users', 'list', disabled]}
        read={(page, signal) =>
          api.client.page('/users', {
            query: {
              fields: ['uuid', 'name', 'email', 'email_confirmed', 'operator', 'roles', 'disabled'],
              order: ['name'],
              ...(disabled === '' ? {} : { disabled: disabled === 'true' }),
              ...page,
            },
            signal,
          })
        }
        keyOf={({ uuid }) => uuid}
        head={[labelOf(texts, 'name'), access.roles]}
      >
        {({ uuid, name, email, email_confirmed: isConfirmed, operator, roles, disabled: isDisabled }) => [
          <div key="name">
            <Link href={`${base}/users/${uuid}`} className="row-link">
              {name}
            </Link>{' '}
            {isDisabled && <Badge color="red">{access.disabled}</Badge>}
            {email !== null && (
              <Text size="xs" c="dimmed">
                {email}
                {!isConfirmed && ` · ${texts.account.unconfirmed}`}
              </Text>
            )}
          </div>,
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
