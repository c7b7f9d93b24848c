import { Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { CreateOpener, Dialog } from '../layout/dialog.js'
import { PageTitle } from '../layout/page-title.js'
import { PagedTable } from '../layout/rows-table.js'
import { SaveErrors } from '../resource/save-bar.js'
import { useInstance } from '../service/place.js'
import { useSave } from '../service/use-save.js'
import { useTexts } from '../texts/texts.js'
import { useEventWords } from './event-words.js'
import { NewSecret } from './new-secret.js'
import { WebhookState } from './webhook-state.js'

const fields = ['uuid', 'url', 'description', 'events', 'active', 'failing_since'] as const

/** Creates a web hook, and shows its secret once. */
const CreateWebhook = ({ onClose }: { readonly onClose: () => void }) => {
  const { form, webhooks } = useTexts()
  const wordsOf = useEventWords()
  const { api, iid } = useInstance()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<string[]>([])
  const [secret, setSecret] = useState<string | null>(null)
  const saving = useSave((body) => api.create('webhooks', body), null, { queryKey: [iid, 'webhooks'] })
  const create = async () => {
    const body: JsonObject = {
      url,
      ...(description.trim() === '' ? {} : { description: description.trim() }),
      ...(events.length === 0 ? {} : { events }),
    }
    const saved = await saving.save(body, null)
    if (saved !== null) setSecret(String(saved.value['secret']))
  }
  if (secret !== null) return <NewSecret title={webhooks.create} secret={secret} onClose={onClose} />
  return (
    <Dialog
      title={webhooks.create}
      onClose={onClose}
      closeOnClickOutside={false}
      buttons={
        <Button onClick={() => void create()} loading={saving.isSaving} disabled={url.trim() === ''}>
          {form.create}
        </Button>
      }
    >
      <TextInput
        label={webhooks.address}
        description={webhooks.addressHelp}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={saving.faults['url']}
        data-autofocus
      />
      <TextInput
        label={webhooks.description}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={saving.faults['description']}
      />
      <MultiSelect
        label={webhooks.events}
        description={webhooks.eventsHelp}
        data={model.webhookEvents
          .filter((event) => event !== '*')
          .map((value) => ({ value, label: wordsOf(value) }))}
        value={events}
        onChange={setEvents}
        error={saving.faults['events']}
        searchable
        clearable
      />
      <SaveErrors {...saving} />
    </Dialog>
  )
}

const eventsIn = ({ events }: JsonObject): readonly string[] =>
  Array.isArray(events) ? events.map((each) => String(each)) : []

/** The web hooks of an instance. */
export const WebhooksPage = () => {
  const { collections, webhooks } = useTexts()
  const wordsOf = useEventWords()
  const { api, iid } = useInstance()
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{collections.webhooks}</PageTitle>
        <CreateOpener>{(close) => <CreateWebhook onClose={close} />}</CreateOpener>
      </Group>
      <Text size="sm" c="dimmed" maw={720}>
        {webhooks.text}
      </Text>
      <PagedTable
        queryKey={[iid, 'webhooks', 'list']}
        read={(page, signal) => api.list('webhooks', { fields, ...page }, signal)}
        keyOf={({ uuid }) => String(uuid)}
        head={[webhooks.address, webhooks.events, webhooks.state]}
        empty={webhooks.none}
        minWidth={560}
      >
        {(row) => [
          <Stack key="address" gap={0}>
            <Link href={`/${iid}/webhooks/${String(row['uuid'])}`} className="row-link">
              {String(row['url'])}
            </Link>
            <Text size="xs" c="dimmed">
              {String(row['description'] ?? '')}
            </Text>
          </Stack>,
          <Text key="events" size="sm">
            {eventsIn(row).map(wordsOf).join(', ')}
          </Text>,
          <WebhookState
            key="state"
            active={row['active'] === true}
            failing={typeof row['failing_since'] === 'string'}
          />,
        ]}
      </PagedTable>
    </Stack>
  )
}
