import { Fieldset, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { DateTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { useInstance } from '../service/instance-context.js'
import { listOf } from '../service/json.js'
import { useTexts } from '../texts/texts.js'

const maxShown = 8

const fields = ['event_uuid', 'dtstart']

type EventProps = { readonly value: JsonObject }

/** The filter that leaves the fewest other events: no filter selects the occurrences of one event. */
const narrowest = ({ location_uuid: location, section_uuid: section }: JsonObject) => {
  if (typeof location === 'string') return { locations: location }
  return typeof section === 'string' ? { sections: section } : {}
}

const Occurrences = ({ value }: EventProps) => {
  const { recurrence } = useTexts()
  const { api, iid } = useInstance()
  const { uuid } = value
  const query = { fields, rpp: model.maxRpp, ...narrowest(value) }
  const found = useQuery({
    queryKey: [iid, 'occurrences', query],
    queryFn: ({ signal }) => api.list('events/occurrences', query, signal),
    staleTime: 0,
  })
  return (
    <Fieldset legend={recurrence.next}>
      <Loaded query={found}>
        {({ rows, hasMore }) => {
          const own = rows.filter((row) => row['event_uuid'] === uuid).slice(0, maxShown)
          const isIncomplete = hasMore && own.length < maxShown
          return (
            <>
              {own.length > 0 && (
                <Group gap="lg" role="list" aria-label={recurrence.next}>
                  {own.map(({ dtstart = null }) => (
                    <Text key={String(dtstart)} size="sm" role="listitem">
                      <DateTime value={dtstart} />
                    </Text>
                  ))}
                </Group>
              )}
              {isIncomplete && (
                <Text size="sm" c="dimmed">
                  {recurrence.incomplete(rows.length)}
                </Text>
              )}
              {own.length === 0 && !isIncomplete && <Text size="sm">{recurrence.none}</Text>}
            </>
          )
        }}
      </Loaded>
    </Fieldset>
  )
}

/** The next occurrences of a stored event that recurs or has further dates. */
export const NextOccurrences = ({ value }: EventProps) => {
  const { rrule = null, rdates } = value
  const recurs = rrule !== null || listOf(rdates).length > 0
  return recurs && <Occurrences value={value} />
}
