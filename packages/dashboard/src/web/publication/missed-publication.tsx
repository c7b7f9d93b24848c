/** Drafts that were not published at their times: the notice at a draft, and those of the instance in the overview. */
import { Alert, Anchor, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { dataOf, type components } from '@publishing-service/client'
import type { Json } from '@publishing-service/domain/json'
import { isJsonObject, listOf } from '../../json.js'
import { useDateTimeText } from '../layout/date-time.js'
import { TitledCard } from '../layout/titled-card.js'
import { useInstance, usePermission } from '../service/place.js'
import { collectionName, labelOf, useTexts } from '../texts/texts.js'

type Missed = Pick<components['schemas']['MissedPublication'], 'publish_at' | 'reason' | 'attributes'>

/** When it should have been published, and why it was not. */
const MissedText = ({ publish_at: at, reason, attributes }: Missed) => {
  const texts = useTexts()
  const { drafts } = texts
  const dateTimeText = useDateTimeText()
  // Those within others have the label of the whole.
  const names = [...new Set(attributes.map((name) => labelOf(texts, name.split('.')[0] ?? name)))]
  return (
    <>
      <Text size="sm">{drafts.missed({ when: dateTimeText(at) })}</Text>
      <Text size="sm">{drafts.missedBecause[reason]}</Text>
      {names.length > 0 && (
        <List size="sm">
          {names.map((name) => (
            <List.Item key={name}>{name}</List.Item>
          ))}
        </List>
      )}
    </>
  )
}

const isReason = (value: Json | undefined, reasons: object): value is Missed['reason'] =>
  typeof value === 'string' && Object.hasOwn(reasons, value)

/** What a draft says of the publication that it has missed; nothing if there is none. */
export const MissedNotice = ({ missed }: { readonly missed: Json | undefined }) => {
  const { drafts } = useTexts()
  if (!isJsonObject(missed)) return null
  const { publish_at: at, reason, attributes } = missed
  if (typeof at !== 'string' || !isReason(reason, drafts.missedBecause)) return null
  return (
    <Alert color="yellow">
      <MissedText publish_at={at} reason={reason} attributes={listOf(attributes).map(String)} />
    </Alert>
  )
}

/** The missed publications of the objects that the user may change; nothing if there are none. */
export const MissedPublications = () => {
  const { audit, collections, overview } = useTexts()
  const { api, iid } = useInstance()
  const mayRead = usePermission('drafts', 'read')
  const { data: missed = [] } = useQuery({
    queryKey: [iid, 'missed_publications'],
    queryFn: async () =>
      dataOf(await api.client.GET('/{iid}/missed_publications', { params: { path: { iid } } })).items,
    enabled: mayRead,
  })
  if (missed.length === 0) return null
  return (
    <TitledCard title={overview.missed}>
      <Stack gap="sm">
        {missed.map(({ type, uuid, title, ...rest }) => (
          <div key={`${type} ${uuid}`}>
            <Anchor component={Link} href={`/${iid}/${type}/${uuid}`} size="sm">
              {title ?? audit.unnamed({ collection: collectionName(collections, type) })}
            </Anchor>
            <MissedText {...rest} />
          </div>
        ))}
      </Stack>
    </TitledCard>
  )
}
