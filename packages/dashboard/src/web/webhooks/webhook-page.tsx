import { Alert, Anchor, Badge, Button, Card, Group, Stack, Switch, Text } from '@mantine/core'
import { TitledCard } from '../layout/titled-card.js'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { dataOf, type components } from '@publishing-service/client'
import type { JsonObject } from '@publishing-service/domain/json'
import { DangerDialog } from '../layout/danger-dialog.js'
import { DangerOpener, Dialog, DialogOpener } from '../layout/dialog.js'
import { UtcTime } from '../layout/date-time.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { listPath } from '../service/list-state.js'
import { useInstance } from '../service/place.js'
import { navigateSaved } from '../service/unsaved.js'
import { useAction } from '../service/use-action.js'
import { textNamed, useTexts } from '../texts/texts.js'
import { useEventWords } from './event-words.js'
import { NewSecret } from './new-secret.js'
import { WebhookState } from './webhook-state.js'

type Webhook = components['schemas']['Webhook']
type HookProps = { readonly hook: Webhook }

/** What everything is read again by that is shown of a web hook. */
const keyOfAll = (iid: number) => ({ queryKey: [iid, 'webhooks'] })

const ActiveSwitch = ({ hook: { uuid, active } }: HookProps) => {
  const { webhooks } = useTexts()
  const { api, iid } = useInstance()
  const { error, isRunning, run } = useAction(keyOfAll(iid))
  return (
    <Stack gap="xs">
      <Switch
        label={webhooks.active}
        description={webhooks.activeHelp}
        checked={active}
        disabled={isRunning}
        onChange={({ currentTarget: { checked } }) =>
          void run(() => api.change(`webhooks/${uuid}`, { active: checked }))
        }
      />
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}

/** Sends a test, and says what came of it. */
const TestButton = ({ hook: { uuid } }: HookProps) => {
  const { webhooks } = useTexts()
  const { api, iid } = useInstance()
  const { error, isRunning, run } = useAction(keyOfAll(iid))
  const [result, setResult] = useState<components['schemas']['WebhookTest'] | null>(null)
  const test = () => {
    setResult(null)
    return run(async () => {
      const params = { path: { iid, uuid } }
      setResult(dataOf(await api.client.POST('/{iid}/webhooks/{uuid}/test', { params })))
    })
  }
  return (
    <Stack gap="xs">
      <Button variant="default" loading={isRunning} onClick={() => void test()} w="fit-content">
        {webhooks.test}
      </Button>
      {/* It is announced when it changes. */}
      <div role="status">
        {result !== null && (
          <Text size="sm">
            {result.failure === null
              ? webhooks.tested({ status: String(result.status) })
              : `${webhooks.failures[result.failure]} ${result.status === null ? '' : `(${result.status})`}`}
          </Text>
        )}
      </div>
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}

/** Replaces the secret after a confirmation, and shows the new one once. */
const ReplaceSecret = ({ hook: { uuid }, onClose }: HookProps & { readonly onClose: () => void }) => {
  const { webhooks } = useTexts()
  const { api, iid } = useInstance()
  const { error, isRunning, run } = useAction(keyOfAll(iid))
  const [secret, setSecret] = useState<string | null>(null)
  const replace = () =>
    run(async () => {
      const params = { path: { iid, uuid } }
      setSecret(dataOf(await api.client.POST('/{iid}/webhooks/{uuid}/secret', { params })).secret)
    })
  if (secret !== null) return <NewSecret title={webhooks.newSecret} secret={secret} onClose={onClose} />
  return (
    <Dialog
      title={webhooks.newSecret}
      onClose={onClose}
      buttons={
        <Button loading={isRunning} onClick={() => void replace()}>
          {webhooks.newSecret}
        </Button>
      }
    >
      <Text size="sm">{webhooks.newSecretText}</Text>
      {error !== null && <ErrorMessage error={error} />}
    </Dialog>
  )
}

const DeleteButton = ({ hook: { uuid, url } }: HookProps) => {
  const { form, webhooks } = useTexts()
  const { api, iid } = useInstance()
  return (
    <DangerOpener label={form.delete}>
      {(close) => (
        <DangerDialog
          title={form.deleteTitle({ title: url })}
          text={webhooks.deleteText}
          label={form.delete}
          send={() => api.remove(`webhooks/${uuid}`)}
          queryKey={[iid, 'webhooks', 'list']}
          onDone={() => navigateSaved(listPath(`/${iid}/webhooks`))}
          onClose={close}
        />
      )}
    </DangerOpener>
  )
}

const deliveryFields = ['uuid', 'event', 'path', 'created', 'state', 'attempts', 'status', 'failure'] as const

/** Milliseconds between two looks at the deliveries while the page is visible: they are attempted in the background. */
const refreshEvery = 3000

const stateColors: Readonly<Record<string, string>> = { pending: 'blue', delivered: 'green', failed: 'red' }

type RowProps = { readonly row: JsonObject }

/** The state of a delivery, and why its last attempt has failed. */
const DeliveryState = ({ row: { state, attempts, status = null, failure = null } }: RowProps) => {
  const { webhooks } = useTexts()
  const name = String(state)
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge color={stateColors[name] ?? 'gray'} variant="light">
          {textNamed(webhooks.states, name) ?? name}
        </Badge>
        <Text size="xs" c="dimmed">
          {webhooks.attempts(Number(attempts))}
          {status === null ? '' : ` · ${String(status)}`}
        </Text>
      </Group>
      {failure !== null && (
        <Text size="xs">{textNamed(webhooks.failures, String(failure)) ?? String(failure)}</Text>
      )}
    </Stack>
  )
}

const AgainButton = ({ hook: { uuid }, row }: HookProps & RowProps) => {
  const { webhooks } = useTexts()
  const wordsOf = useEventWords()
  const { api, iid } = useInstance()
  const { error, isRunning, run } = useAction(keyOfAll(iid))
  const again = () =>
    run(async () =>
      dataOf(
        await api.client.POST('/{iid}/webhooks/{uuid}/deliveries/{delivery_uuid}/redeliver', {
          params: { path: { iid, uuid, delivery_uuid: String(row['uuid']) } },
        }),
      ),
    )
  return (
    <Stack gap="xs" align="flex-end">
      <Button
        size="xs"
        variant="default"
        loading={isRunning}
        aria-label={`${webhooks.again}: ${wordsOf(String(row['event']))} ${String(row['path'] ?? '')}`}
        onClick={() => void again()}
      >
        {webhooks.again}
      </Button>
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}

const Deliveries = ({ hook }: HookProps) => {
  const { webhooks } = useTexts()
  const wordsOf = useEventWords()
  const { api, background, iid } = useInstance()
  const path = `webhooks/${hook.uuid}/deliveries`
  return (
    <TitledCard title={webhooks.deliveries}>
      <PagedTable
        queryKey={[iid, 'webhooks', hook.uuid, 'deliveries']}
        refreshEvery={refreshEvery}
        read={(page, signal, isAgain) =>
          (isAgain ? background : api).list(path, { fields: deliveryFields, ...page }, signal)
        }
        keyOf={({ uuid }) => String(uuid)}
        head={[webhooks.event, webhooks.when, webhooks.state, '']}
        empty={webhooks.noDeliveries}
        minWidth={640}
      >
        {(row) => [
          <Stack key="event" gap={0}>
            <Text size="sm">{wordsOf(String(row['event']))}</Text>
            <Text size="xs" c="dimmed">
              {String(row['path'] ?? '')}
            </Text>
          </Stack>,
          <UtcTime key="when" value={row['created'] ?? null} />,
          <DeliveryState key="state" row={row} />,
          <AgainButton key="again" hook={hook} row={row} />,
        ]}
      </PagedTable>
    </TitledCard>
  )
}

const Details = ({ hook }: HookProps) => {
  const { form, webhooks } = useTexts()
  const wordsOf = useEventWords()
  const { iid } = useInstance()
  const { url, description, events, active, failing_since: since, switched_off: reason } = hook
  return (
    <Stack maw={980}>
      <Anchor component={Link} href={listPath(`/${iid}/webhooks`)} size="sm">
        {form.back}
      </Anchor>
      <Group>
        <PageTitle>{url}</PageTitle>
        <WebhookState active={active} failing={since !== null} />
      </Group>
      {description !== null && <Text size="sm">{description}</Text>}
      <Text size="sm">
        {webhooks.events}: {events.map(wordsOf).join(', ')}
      </Text>
      {(reason !== null || since !== null) && (
        <Alert color="red">
          {reason !== null && <Text size="sm">{webhooks.switchedOff[reason]}</Text>}
          {since !== null && (
            <Text size="sm">
              {webhooks.failingSince} <UtcTime value={since} />
            </Text>
          )}
        </Alert>
      )}
      <Card withBorder>
        <Stack>
          <ActiveSwitch hook={hook} />
          <TestButton hook={hook} />
          <Group>
            <DialogOpener
              button={(open) => (
                <Button variant="default" onClick={open}>
                  {webhooks.newSecret}
                </Button>
              )}
            >
              {(close) => <ReplaceSecret hook={hook} onClose={close} />}
            </DialogOpener>
            <DeleteButton hook={hook} />
          </Group>
        </Stack>
      </Card>
      <Deliveries hook={hook} />
    </Stack>
  )
}

/** One web hook: whether it is on, its secret, and what was sent to it. */
export const WebhookPage = ({ uuid }: { readonly uuid: string }) => {
  const { api, iid } = useInstance()
  const query = useQuery({
    queryKey: [iid, 'webhooks', uuid],
    queryFn: async () =>
      dataOf(
        await api.client.GET('/{iid}/webhooks/{uuid}', {
          params: { path: { iid, uuid } },
          cache: 'no-cache',
        }),
      ),
  })
  return <Loaded query={query}>{(hook) => <Details hook={hook} />}</Loaded>
}
