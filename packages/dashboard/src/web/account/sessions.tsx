import { Badge, Button, Group, Text } from '@mantine/core'
import { TitledCard } from '../layout/titled-card.js'
import { useQuery } from '@tanstack/react-query'
import { dataOf } from '@publishing-service/client'
import { model } from 'virtual:model'
import { textOf } from '../../json.js'
import { AccessAction } from '../access/rights-change.js'
import { UtcTime } from '../layout/date-time.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { RowsTable } from '../layout/rows-table.js'
import { useService } from '../service/place.js'
import { session } from '../service/session.js'
import { useAction } from '../service/use-action.js'
import { textNamed, useTexts } from '../texts/texts.js'
import { useDeviceText } from './use-device-text.js'

const fields = ['id', 'created', 'last_used', 'way', 'agent']

const queryKey = ['account', 'sessions']

const EndSession = ({ id, device }: { readonly id: string; readonly device: string }) => {
  const { account } = useTexts()
  const { error, isRunning, run } = useAction({ queryKey })
  const end = async () =>
    dataOf(await session.client.DELETE('/account/sessions/{session}', { params: { path: { session: id } } }))
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="xs"
        loading={isRunning}
        onClick={() => void run(end)}
        aria-label={`${account.end}: ${device}`}
      >
        {account.end}
      </Button>
      {error !== null && <ErrorMessage error={error} />}
    </>
  )
}

/** The devices on which the person is signed in. `current` is the session of this one. */
export const Sessions = ({ current }: { readonly current: string | null }) => {
  const { access, account } = useTexts()
  const { api } = useService()
  const deviceOf = useDeviceText()
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.list('account/sessions', { fields, rpp: model.maxRpp }, signal),
  })
  const endAll = async () => {
    dataOf(await session.client.DELETE('/account/sessions'))
    session.close()
  }
  return (
    <TitledCard title={account.sessions}>
      <Loaded query={query}>
        {({ rows }) => (
          <RowsTable
            rows={rows}
            keyOf={({ id }) => String(id)}
            head={[account.device, account.signedIn, access.lastUsed, '']}
            minWidth={560}
          >
            {({ id, created = null, last_used: used = null, way, agent }) => [
              <Group key="device" gap="xs">
                {deviceOf(textOf(agent))}
                {id === current && <Badge variant="light">{account.thisDevice}</Badge>}
              </Group>,
              <div key="created">
                <UtcTime value={created} />
                <Text size="xs" c="dimmed">
                  {textNamed(account.ways, String(way)) ?? String(way)}
                </Text>
              </div>,
              <UtcTime key="used" value={used} />,
              id === current ? '' : <EndSession key="end" id={String(id)} device={deviceOf(textOf(agent))} />,
            ]}
          </RowsTable>
        )}
      </Loaded>
      <Group justify="flex-end" mt="sm">
        <AccessAction
          label={account.endAll}
          title={`${account.endAll}?`}
          text={account.endAllText}
          run={endAll}
        />
      </Group>
    </TitledCard>
  )
}
