import { Anchor, Card, Group, Stack, Title } from '@mantine/core'
import { TitledCard } from './titled-card.js'
import { Link } from 'wouter'
import type { ResourceModel } from '@publishing-service/dashboard'
import { model } from 'virtual:model'
import { timeIn } from '../../publication/zone-time.js'
import { MissedPublications } from '../publication/missed-publication.js'
import { ObjectsTable, tableQuery } from '../resource/objects-table.js'
import { isAtLeast, mayAct, resourceNamed, useInstance, useService, useSettings } from '../service/place.js'
import { serviceClock } from '../service/service-clock.js'
import { useRows } from '../service/use-object.js'
import { useTexts } from '../texts/texts.js'
import { Loaded } from './messages.js'
import { PageTitle } from './page-title.js'

/** A list of what somebody has to do: its title, the filters and the order, and the collection. */
type Queue = {
  readonly title: string
  readonly collection: string
  readonly query: Readonly<Record<string, string>>
}

/** The queues that concern the user, by the role. */
const useQueues = (): readonly Queue[] => {
  const { overview } = useTexts()
  const { role, timezone } = useInstance()
  const { me } = useService()
  // What goes live within the minute is no plan any more, and the request stays the same for a minute.
  const soon = timeIn(timezone, new Date(serviceClock.now().getTime() + 60_000)).slice(0, 16)
  const isEditor = isAtLeast(role, model.unrestricted)
  const own = me.uuid
  const of = (title: string, query: Queue['query'], collection = 'content'): Queue => ({
    title,
    collection,
    query,
  })
  return [
    ...(isEditor ? [of(overview.toReview, { review: 'requested', order: 'review_at.asc' })] : []),
    ...(mayAct(role, 'people', 'read')
      ? [
          of(overview.toChange, { review: 'changes_requested', created_by: own, order: 'review_at.asc' }),
          of(overview.drafts, { state: 'draft', created_by: own, order: 'modified.desc' }),
          of(overview.scheduled, { state: 'published', issued: `${soon}_`, order: 'issued.asc' }),
        ]
      : []),
    ...(isEditor ? [of(overview.comments, { state: 'draft', order: 'created.asc' }, 'comments')] : []),
  ]
}

/** The first objects of a queue, with a link to all; nothing if there are none. */
const QueueCard = ({ queue: { title, collection, query } }: { readonly queue: Queue }) => {
  const { iid } = useInstance()
  const { overview } = useTexts()
  const resource = resourceNamed(collection)
  if (resource === undefined) throw new Error(`there is no collection ${collection}`)
  const { data } = useRows(resource.segments, { ...tableQuery(resource), ...query, rpp: 5 })
  if (data === undefined || data.rows.length === 0) return null
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Anchor
          component={Link}
          href={`/${iid}/${collection}?${new URLSearchParams(query).toString()}`}
          size="sm"
          aria-label={overview.allOf({ title })}
        >
          {overview.all}
        </Anchor>
      </Group>
      <ObjectsTable resource={resource} found={data} />
    </Card>
  )
}

/** The content that was changed last. */
const Latest = ({ resource }: { readonly resource: ResourceModel }) => {
  const query = useRows(resource.segments, { ...tableQuery(resource), order: 'modified.desc', rpp: 10 })
  return <Loaded query={query}>{(found) => <ObjectsTable resource={resource} found={found} />}</Loaded>
}

/** The start page of an instance. */
export const Overview = () => {
  const { overview, shell } = useTexts()
  const settings = useSettings()
  const content = resourceNamed('content')
  const queues = useQueues()
  return (
    <Stack>
      <PageTitle windowTitle={shell.overview}>{settings?.title ?? ''}</PageTitle>
      <MissedPublications />
      {queues.map((queue) => (
        <QueueCard key={queue.title} queue={queue} />
      ))}
      <TitledCard title={overview.latest}>
        {content !== undefined && <Latest resource={content} />}
      </TitledCard>
    </Stack>
  )
}
