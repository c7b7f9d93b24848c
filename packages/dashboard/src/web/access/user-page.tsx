import {
  Alert,
  Anchor,
  Badge,
  Button,
  Card,
  Code,
  Group,
  NativeSelect,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { TitledCard } from '../layout/titled-card.js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { dataOf, type components } from '@publishing-service/client'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { CopyText } from '../layout/copy-text.js'
import { UtcTime } from '../layout/date-time.js'
import { Dialog, DialogOpener } from '../layout/dialog.js'
import { Loaded } from '../layout/messages.js'
import { ShownSecret } from '../layout/shown-secret.js'
import { SaveErrors } from '../resource/save-bar.js'
import { UserForm } from '../resource/user-form.js'
import { listPath } from '../service/list-state.js'
import { strongestRole, useService } from '../service/place.js'
import { navigateSaved } from '../service/unsaved.js'
import { useSave } from '../service/use-save.js'
import { PageTitle } from '../layout/page-title.js'
import { RowsTable } from '../layout/rows-table.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { CreateLink } from './person-link.js'
import { AccessAction, useRightsChange, type RightsChange } from './rights-change.js'
import { useAdministeredInstances, type AdministeredInstance } from './use-administered-instances.js'

type User = components['schemas']['User']

/** How an administrator confirms an address; nobody confirms their own here. */
const UnconfirmedEmail = ({ user, email }: { readonly user: User; readonly email: string }) => {
  const { access } = useTexts()
  const { api, me } = useService()
  return (
    <>
      <Text size="sm">{access.unconfirmedHelp}</Text>
      {(user.uuid !== me.uuid || me.operator) && (
        <AccessAction
          label={access.confirmEmail}
          title={access.confirmEmailTitle({ email })}
          text={access.confirmEmailText}
          run={(query) => api.change(`users/${user.uuid}`, { email_confirmed: true }, null, query)}
        />
      )}
    </>
  )
}

/** The role of the user on one instance. */
const RoleOnInstance = ({ user, instance, title }: { user: User; instance: number; title: string }) => {
  const texts = useTexts()
  const { api } = useService()
  const { change, failure } = useRightsChange()
  const held = user.roles.find((each) => each.instance === instance)?.roles ?? []
  const current = strongestRole(held) ?? ''
  const put = (role: string, query: Parameters<RightsChange>[0]) =>
    api.replace(`users/${user.uuid}/roles/${instance}`, { roles: role === '' ? [] : [role] }, null, query)
  return (
    <>
      <Group>
        <NativeSelect
          aria-label={`${texts.shell.role}: ${title}`}
          data={[
            { value: '', label: texts.access.noRole },
            ...model.roles.map((value) => ({ value, label: texts.roles[value] })),
          ]}
          value={current}
          onChange={({ currentTarget: { value: role } }) => change((query) => put(role, query))}
        />
        {current !== '' && (
          <AccessAction
            label={texts.access.takeAway}
            name={title}
            title={texts.access.takeAwayTitle({ instance: title })}
            text={texts.access.withinSeconds}
            run={(query) => put('', query)}
          />
        )}
      </Group>
      {failure}
    </>
  )
}

type NewKey = components['schemas']['IssuedKey']

/** Both parts of a key, as one text for the person who gets it. */
const keyText = (
  { key, secret }: { readonly key: string; readonly secret: string },
  issued: NewKey,
): string =>
  [
    `${key}: ${issued.api_key}`,
    `${secret}: ${issued.api_secret}`,
    new URL('.', document.baseURI).href.replace(/\/$/, ''),
  ].join('\n')

type DialogProps = { readonly user: User; readonly onClose: () => void }

/** Creates a key after a confirmation, and shows it once. */
const CreateKey = ({ user, onClose }: DialogProps) => {
  const { access, form, signIn } = useTexts()
  const { api } = useService()
  const [issued, setIssued] = useState<NewKey | null>(null)
  const [title, setTitle] = useState('')
  const queries = useQueryClient()
  const saving = useSave(async (body) => {
    const key = dataOf(
      await api.client.POST('/users/{uuid}/keys', { params: { path: { uuid: user.uuid } }, body }),
    )
    setIssued(key)
    return { value: key, tag: null }
  }, null)
  const create = async () => {
    await saving.save(title.trim() === '' ? {} : { title: title.trim() }, null)
    await queries.invalidateQueries({ queryKey: ['users'] })
  }
  return issued === null ? (
    <Dialog
      title={access.newKey}
      onClose={onClose}
      closeOnClickOutside={false}
      buttons={
        <Button onClick={() => void create()} loading={saving.isSaving}>
          {form.create}
        </Button>
      }
    >
      <Text size="sm">{access.createKeyText({ name: user.name })}</Text>
      <TextInput
        label={access.keyTitle}
        description={access.keyTitleHelp}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        error={saving.faults['title']}
        data-autofocus
      />
      <SaveErrors {...saving} />
    </Dialog>
  ) : (
    <Dialog
      title={access.newKey}
      onClose={onClose}
      closeOnClickOutside={false}
      cancel={null}
      buttons={
        <>
          <CopyText label={access.copyBoth} text={keyText(signIn, issued)} />
          <Button onClick={onClose}>{form.done}</Button>
        </>
      }
    >
      <Alert color="yellow">{access.secretOnce}</Alert>
      <ShownSecret label={signIn.key} value={issued.api_key} />
      <ShownSecret label={signIn.secret} value={issued.api_secret} />
    </Dialog>
  )
}

const nameOf = ({ api_key: key }: JsonObject): string => String(key)

const Keys = ({ user }: { readonly user: User }) => {
  const texts = useTexts()
  const { access } = texts
  const { api } = useService()
  const query = useQuery({
    queryKey: ['users', user.uuid, 'keys'],
    queryFn: () =>
      api.list(`users/${user.uuid}/keys`, {
        fields: ['api_key', 'title', 'created', 'created_by_name', 'revoked', 'last_used'],
        order: 'created.desc',
        rpp: model.maxRpp,
      }),
  })
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {access.keys}
        </Title>
        <DialogOpener
          button={(open) => (
            <Button onClick={open} size="xs">
              {access.createKey}
            </Button>
          )}
        >
          {(close) => <CreateKey user={user} onClose={close} />}
        </DialogOpener>
      </Group>
      <Loaded query={query}>
        {({ rows }) => (
          <RowsTable
            rows={rows}
            keyOf={nameOf}
            head={[texts.signIn.key, labelOf(texts, 'created'), access.createdBy, access.lastUsed, '']}
            minWidth={560}
            empty={access.noKeys}
          >
            {(row) => {
              const {
                title = null,
                created = null,
                created_by_name: maker = null,
                last_used: used = null,
              } = row
              return [
                <div key="key">
                  {title !== null && <Text size="sm">{String(title)}</Text>}
                  <Code>{nameOf(row)}</Code>
                </div>,
                <UtcTime key="created" value={created} />,
                maker === null ? '' : String(maker),
                used === null ? access.never : <UtcTime key="used" value={used} />,
                row['revoked'] === null ? (
                  <AccessAction
                    key="revoke"
                    label={access.revoke}
                    name={nameOf(row)}
                    title={access.revokeTitle({ key: nameOf(row) })}
                    text={access.withinSeconds}
                    run={(confirmation) => api.remove(`users/${user.uuid}/keys/${nameOf(row)}`, confirmation)}
                  />
                ) : (
                  <Badge key="revoked" color="gray" variant="light">
                    {access.revoked}
                  </Badge>
                ),
              ]
            }}
          </RowsTable>
        )}
      </Loaded>
    </Card>
  )
}

const OperatorSwitch = ({ user }: { readonly user: User }) => {
  const { access } = useTexts()
  const { api } = useService()
  const { change, failure } = useRightsChange()
  return (
    <Stack gap="xs">
      <Switch
        label={access.operator}
        description={access.operatorHelp}
        checked={user.operator}
        onChange={({ currentTarget: { checked: operator } }) =>
          change((query) => api.change(`users/${user.uuid}`, { operator }, null, query))
        }
      />
      {failure}
    </Stack>
  )
}

/** Those on which the signed-in user gives roles, and for an operator all on which the user has some. */
const useShownInstances = (user: User): readonly AdministeredInstance[] => {
  const { me } = useService()
  const { shell } = useTexts()
  const found = useAdministeredInstances()
  if (!me.operator) return found
  const others = user.roles.filter(({ instance }) => found.every(({ id }) => id !== instance))
  return [
    ...found,
    ...others.map(({ instance }) => ({ id: instance, title: shell.instance({ id: instance }) })),
  ]
}

/** How the person gets in: a link, and whether they may at all. */
const SignInOfUser = ({ user }: { readonly user: User }) => {
  const { access } = useTexts()
  const { api, me } = useService()
  const path = `users/${user.uuid}`
  const isOwn = user.uuid === me.uuid
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <Group gap="xs">
          <Title order={2} size="h4">
            {access.signIn}
          </Title>
          {user.disabled && <Badge color="red">{access.disabled}</Badge>}
        </Group>
        <Group gap="xs">
          <DialogOpener
            button={(open) => (
              <Button onClick={open} size="xs" disabled={user.disabled}>
                {access.createLink}
              </Button>
            )}
          >
            {(close) => <CreateLink user={user.uuid} name={user.name} onClose={close} />}
          </DialogOpener>
          <AccessAction
            label={access.revokeLink}
            title={access.revokeLinkTitle({ name: user.name })}
            text={access.revokeLinkText}
            run={() => api.remove(`${path}/link`)}
          />
          {!isOwn && (
            <AccessAction
              label={user.disabled ? access.enable : access.disable}
              title={
                user.disabled
                  ? access.enableTitle({ name: user.name })
                  : access.disableTitle({ name: user.name })
              }
              text={user.disabled ? access.enableText : access.disableText}
              run={(query) => api.change(path, { disabled: !user.disabled }, null, query)}
            />
          )}
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {access.linkHelp} {access.linkEnds}
      </Text>
    </Card>
  )
}

const UserDetails = ({ user }: { readonly user: User }) => {
  const { access, form, shell } = useTexts()
  const { api, base, me } = useService()
  const shown = useShownInstances(user)
  return (
    <Stack maw={860}>
      <Anchor component={Link} href={listPath(`${base}/users`)} size="sm">
        {form.back}
      </Anchor>
      <PageTitle>{user.name}</PageTitle>
      <Card withBorder>
        <UserForm
          key={`${user.name} ${user.email ?? ''}`}
          user={user}
          save={(changes) => api.change(`users/${user.uuid}`, changes)}
          unconfirmed={(email) => <UnconfirmedEmail user={user} email={email} />}
        />
      </Card>
      <TitledCard title={access.roles}>
        <RowsTable rows={shown} keyOf={({ id }) => id} head={[shell.switchInstance, shell.role]}>
          {({ id, title }) => [title, <RoleOnInstance key="role" user={user} instance={id} title={title} />]}
        </RowsTable>
        {me.operator && <OperatorSwitch user={user} />}
      </TitledCard>
      <SignInOfUser user={user} />
      <Keys user={user} />
      <Group justify="flex-end">
        <AccessAction
          size="sm"
          label={form.delete}
          title={form.deleteTitle({ title: user.name })}
          text={access.deleteUserText}
          run={(query) => api.remove(`users/${user.uuid}`, query)}
          onDone={() => navigateSaved(listPath(`${base}/users`))}
        />
      </Group>
    </Stack>
  )
}

/** One API user: its name, roles and keys. */
export const UserPage = ({ uuid }: { readonly uuid: string }) => {
  const { api } = useService()
  const query = useQuery({
    queryKey: ['users', uuid],
    queryFn: async () => dataOf(await api.client.GET('/users/{uuid}', { params: { path: { uuid } } })),
  })
  return <Loaded query={query}>{(user) => <UserDetails user={user} />}</Loaded>
}
