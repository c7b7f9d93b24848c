import { Badge, Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useReducer } from 'react'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { distanceText, periodPhase, publicationOf, timeIn } from '../../publication/zone-time.js'
import { useInstance } from '../service/place.js'
import { serviceClock } from '../service/service-clock.js'
import { useTexts, wordOf } from '../texts/texts.js'

/** The present time of the service in the zone of the instance, to the second; shown anew every half minute. */
export const useInstanceTime = (): string => {
  const { timezone } = useInstance()
  const [, showAgain] = useReducer((count: number) => count + 1, 0)
  useInterval(showAgain, 30_000, { autoInvoke: true })
  return timeIn(timezone, serviceClock.now())
}

const colors = { draft: 'gray', live: 'green', scheduled: 'blue' } as const

/** Whether the public sees an object. Other states, such as those of tags, are shown as their word. */
export const PublicationBadge = ({ row: { state, issued } }: { readonly row: JsonObject }) => {
  const texts = useTexts()
  const now = useInstanceTime()
  const isPublication = state === 'draft' || state === 'published'
  const current = publicationOf(state, issued, now)
  return (
    <Badge variant="light" color={isPublication ? colors[current] : 'gray'} miw="max-content">
      {isPublication ? texts.publication.badges[current] : wordOf(texts, String(state))}
    </Badge>
  )
}

/** Whether a period, such as that of a coupon, has begun or ended, in words. */
export const PeriodText = ({ start, end }: { readonly start: Json; readonly end: Json }) => {
  const { publication, locale } = useTexts()
  const now = useInstanceTime()
  const phase = periodPhase(start, end, now)
  if (phase === null) return null
  const side = phase === 'before' ? start : end
  const distance = typeof side === 'string' ? distanceText(locale, now, side) : null
  return (
    <Text size="sm" c={phase === 'after' ? 'dimmed' : undefined} aria-live="polite">
      {distance === null ? publication.period.active : publication.period[phase]({ distance })}
    </Text>
  )
}
