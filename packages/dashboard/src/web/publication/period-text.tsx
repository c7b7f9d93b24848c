import { Text } from '@mantine/core'
import type { Json } from '@publishing-service/domain'
import { distanceText, periodPhase } from '../../publication/zone-time.js'
import { useTexts } from '../texts/texts.js'
import { useInstanceTime } from './publication-panel.js'

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
      {publication.period[phase](distance)}
    </Text>
  )
}
