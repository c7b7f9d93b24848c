import {
  Alert,
  Anchor,
  Badge,
  Button,
  Card,
  Code,
  CopyButton,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { InstanceRoles, JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { CopyText } from '../layout/copy-text.js'
import { UtcTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { SaveErrors } from '../resource/save-bar.js'
import { listPath } from '../service/list-state.js'
import { strongestRole } from '../service/roles.js'
import { useService } from '../service/service-context.js'
import { navigateSaved, useUnsaved } from '../service/unsaved.js'
import { useSave } from '../service/use-save.js'
import { PageTitle } from '../layout/page-title.js'
import { useTexts } from '../texts/texts.js'
import { AccessAction } from './access-action.js'
import { useRightsChange } from './use-rights-change.js'

type User = {
  readonly uuid: string
  readonly name: string
  readonly operator: boolean
  readonly roles: readonly InstanceRoles[]
}

const Name = ({ user }: { readonly user: User }) => {
  const { access, form } = useTexts()
  const { api } = useService()
  const [name, setName] = useState(user.name)
  const saving = useSave((body) => api.change(`users/${user.uuid}`, body), null)
  const isChanged = name !== user.name
  useUnsaved(isChanged)
  return (
    <Stack gap="xs">
      <Group align="flex-end">
        <TextInput
          label={access.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={saving.faults['name']}
        />
        <Button
          variant="default"
          disabled={!isChanged}
          loading={saving.isSaving}
          onClick={() => void saving.save({ name }, null)}
        >
          {form.save}
        </Button>
      </Group>
      <SaveErrors {...saving} />
    </Stack>
  )
}

/** The role of the user on one instance. */
const RoleOnInstance = ({ user, instance, title }: { user: User; instance: number; title: string }) => {
  const texts = useTexts()
  const { api } = useService()
  const { change, failure } = useRightsChange()
  const held = user.roles.find((each) => each.instance === instance)?.roles ?? []
  const current = strongestRole(held) ?? ''
  const put = (role: string, query: Readonly<Record<string, string>>) =>
    api.replace(`users/${user.uuid}/roles/${instance}`, { roles: role === '' ? [] : [role] }, null, query)
  return (
    <Table.Tr>
      <Table.Td>{title}</Table.Td>
      <Table.Td>
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
              title={texts.access.takeAwayTitle(title)}
              text={texts.access.withinSeconds}
              run={(query) => put('', query)}
            />
          )}
        </Group>
        {failure}
      </Table.Td>
    </Table.Tr>
  )
}

type NewKey = { readonly api_key: string; readonly api_secret: string }

const Secret = ({ label, value }: { readonly label: string; readonly value: string }) => {
  const { access } = useTexts()
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Group wrap="nowrap">
        <Code className="version" style={{ flex: 1 }}>
          {value}
        </Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy} aria-label={`${access.copy}: ${label}`}>
              {copied ? access.copied : access.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}

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

/** Creates a key after a confirmation, and shows it once. */
const CreateKey = ({ user }: { readonly user: User }) => {
  const { access, form } = useTexts()
  const { api } = useService()
  const [isOpen, { open, close }] = useDisclosure(false)
  const [issued, setIssued] = useState<NewKey | null>(null)
  const [title, setTitle] = useState('')
  const saving = useSave((body) => api.create(`users/${user.uuid}/keys`, body), null)
  const queries = useQueryClient()
  const create = async () => {
    const saved = await saving.save(title.trim() === '' ? {} : { title: title.trim() }, null)
    if (saved === null) return
    setIssued(saved.value as NewKey)
    await queries.invalidateQueries({ queryKey: ['users'] })
  }
  const finish = () => {
    close()
    setIssued(null)
    setTitle('')
    saving.clear()
  }
  return (
    <>
      <Button onClick={open} size="xs">
        {access.createKey}
      </Button>
      <Modal opened={isOpen} onClose={finish} title={access.newKey} closeOnClickOutside={false} centered>
        {issued === null ? (
          <Stack>
            <Text size="sm">{access.createKeyText(user.name)}</Text>
            <TextInput
              label={access.keyTitle}
              description={access.keyTitleHelp}
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
              error={saving.faults['title']}
              data-autofocus
            />
            <SaveErrors {...saving} />
            <Group justify="flex-end">
              <Button variant="default" onClick={finish}>
                {form.cancel}
              </Button>
              <Button onClick={() => void create()} loading={saving.isSaving}>
                {form.create}
              </Button>
            </Group>
          </Stack>
        ) : (
          <Stack>
            <Alert color="yellow">{access.secretOnce}</Alert>
            <Secret label={access.key} value={issued.api_key} />
            <Secret label={access.secret} value={issued.api_secret} />
            <Group justify="flex-end" align="flex-start">
              <CopyText label={access.copyBoth} text={keyText(access, issued)} />
              <Button onClick={finish}>{form.done}</Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  )
}

const KeyRow = ({ user, row }: { readonly user: User; readonly row: JsonObject }) => {
  const { access } = useTexts()
  const { api } = useService()
  const key = String(row['api_key'])
  const isRevoked = row['revoked'] !== null
  return (
    <Table.Tr>
      <Table.Td>
        {typeof row['title'] === 'string' && <Text size="sm">{row['title']}</Text>}
        <Code>{key}</Code>
      </Table.Td>
      <Table.Td>
        <UtcTime value={row['created'] ?? null} />
      </Table.Td>
      <Table.Td>{typeof row['created_by_name'] === 'string' ? row['created_by_name'] : ''}</Table.Td>
      <Table.Td>
        {row['last_used'] === null ? access.never : <UtcTime value={row['last_used'] ?? null} />}
      </Table.Td>
      <Table.Td>
        {isRevoked ? (
          <Badge color="gray" variant="light">
            {access.revoked}
          </Badge>
        ) : (
          <AccessAction
            label={access.revoke}
            title={access.revokeTitle(key)}
            text={access.withinSeconds}
            run={(query) => api.remove(`users/${user.uuid}/keys/${key}`, query)}
          />
        )}
      </Table.Td>
    </Table.Tr>
  )
}

const Keys = ({ user }: { readonly user: User }) => {
  const { access } = useTexts()
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
        <CreateKey user={user} />
      </Group>
      <Loaded query={query}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{access.noKeys}</Text>
          ) : (
            <Table.ScrollContainer minWidth={560}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{access.key}</Table.Th>
                    <Table.Th>{access.created}</Table.Th>
                    <Table.Th>{access.createdBy}</Table.Th>
                    <Table.Th>{access.lastUsed}</Table.Th>
                    <Table.Th />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((row) => (
                    <KeyRow key={String(row['api_key'])} user={user} row={row} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
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

/** The instances on which the signed-in user can give roles: for an operator all, at most a page of them and those of the user. */
const useShownInstances = (user: User): readonly { readonly id: number; readonly title: string }[] => {
  const { api, me } = useService()
  const { shell } = useTexts()
  const query = useQuery({
    queryKey: ['instances', 'titles'],
    queryFn: ({ signal }) => api.list('instances', { fields: ['id', 'title'], rpp: model.maxRpp }, signal),
    enabled: me.operator,
  })
  if (!me.operator) return me.items.filter(({ roles }) => roles.includes('admin'))
  const titles = new Map(
    (query.data?.rows ?? []).map(({ id, title }) => [Number(id), String(title)] as const),
  )
  const others = user.roles.filter(({ instance }) => !titles.has(instance))
  return [
    ...[...titles].map(([id, title]) => ({ id, title })),
    ...others.map(({ instance }) => ({ id: instance, title: shell.instance(instance) })),
  ]
}

const UserDetails = ({ user }: { readonly user: User }) => {
  const { access, form } = useTexts()
  const { api, base, me } = useService()
  const shown = useShownInstances(user)
  return (
    <Stack maw={860}>
      <Anchor component={Link} href={listPath(`${base}/users`)} size="sm">
        {form.back}
      </Anchor>
      <PageTitle>{user.name}</PageTitle>
      <Card withBorder>
        <Name key={user.name} user={user} />
      </Card>
      <Card withBorder>
        <Title order={2} size="h4" mb="sm">
          {access.roles}
        </Title>
        <Table>
          <Table.Tbody>
            {shown.map(({ id, title }) => (
              <RoleOnInstance key={id} user={user} instance={id} title={title} />
            ))}
          </Table.Tbody>
        </Table>
        {me.operator && <OperatorSwitch user={user} />}
      </Card>
      <Keys user={user} />
      <Group justify="flex-end">
        <AccessAction
          size="sm"
          label={form.delete}
          title={form.deleteTitle(user.name)}
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
  const query = useQuery({ queryKey: ['users', uuid], queryFn: () => api.read(`users/${uuid}`) })
  return <Loaded query={query}>{({ value }) => <UserDetails user={value as User} />}</Loaded>
}
