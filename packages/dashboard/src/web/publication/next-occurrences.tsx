import { Fieldset, Group, Text } from '@mantine/core'
import type { JsonObject } from '@publishing-service/domain/json'
import { DateTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { listOf } from '../../json.js'
import { useRows } from '../service/use-object.js'
import { useTexts } from '../texts/texts.js'

const maxShown = 8

type EventProps = { readonly value: JsonObject }

const Occurrences = ({ value: { uuid = null } }: EventProps) => {
  const { recurrence } = useTexts()
  const found = useRows('events/occurrences', { fields: ['dtstart'], rpp: maxShown, events: uuid })
  return (
    <Fieldset legend={recurrence.next}>
      <Loaded query={found}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text size="sm">{recurrence.none}</Text>
          ) : (
            <Group gap="lg" role="list" aria-label={recurrence.next}>
              {rows.map(({ dtstart = null }) => (
                <Text key={String(dtstart)} size="sm" role="listitem">
                  <DateTime value={dtstart} />
                </Text>
              ))}
            </Group>
          )
        }
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
