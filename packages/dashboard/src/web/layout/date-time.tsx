import type { Json } from '@publishing-service/domain/json'
import { useInstance, useService } from '../service/place.js'
import { useTexts } from '../texts/texts.js'

/** A moment in the order of the language, in a time zone; that of the browser by default. */
const useMomentText = () => {
  const { locale } = useTexts()
  return (value: string, moment: Date, timeZone: string | undefined): string =>
    Number.isNaN(moment.getTime())
      ? value
      : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(moment)
}

/** A date-time of the instance's time zone. It has no zone: it is shown as it is, whatever the zone of the browser. */
export const useDateTimeText = () => {
  const text = useMomentText()
  return (value: string): string => text(value, new Date(`${value.slice(0, 19)}Z`), 'UTC')
}

export const DateTime = ({ value }: { readonly value: Json }) => {
  const text = useDateTimeText()
  return typeof value === 'string' ? <time dateTime={value}>{text(value)}</time> : null
}

/** The time of day of a moment in UTC, in the time zone of the publication. */
export const useClockText = () => {
  const { locale } = useTexts()
  const { timezone } = useInstance()
  return (value: string): string =>
    new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: timezone }).format(new Date(value))
}

/** A moment in UTC, in the time zone of the publication; on the pages of the service, in that of the browser. */
export const useUtcText = () => {
  const text = useMomentText()
  const { instance } = useService()
  return (value: string): string => text(value, new Date(value), instance?.timezone)
}

export const UtcTime = ({ value }: { readonly value: Json }) => {
  const text = useUtcText()
  return typeof value === 'string' ? <time dateTime={value}>{text(value)}</time> : null
}
