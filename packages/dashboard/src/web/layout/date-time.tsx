import type { Json } from '@publishing-service/domain'
import { useSettings } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'

/** A date-time of the instance's time zone, in the order of the language. */
export const useDateTimeText = () => {
  const { locale } = useTexts()
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return (value: string): string => {
    // The value has no zone: it is shown as it is, whatever the zone of the browser.
    const moment = new Date(`${value.slice(0, 19)}Z`)
    return Number.isNaN(moment.getTime()) ? value : format.format(moment)
  }
}

export const DateTime = ({ value }: { readonly value: Json }) => {
  const text = useDateTimeText()
  return typeof value === 'string' ? <time dateTime={value}>{text(value)}</time> : null
}

/** A moment in UTC, shown in the time zone of the publication; on the pages of the service, in that of the browser. */
export const UtcTime = ({ value }: { readonly value: Json }) => {
  const { locale } = useTexts()
  const { timezone: timeZone } = useSettings() ?? {}
  if (typeof value !== 'string') return null
  const moment = new Date(value)
  const text = Number.isNaN(moment.getTime())
    ? value
    : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(moment)
  return <time dateTime={value}>{text}</time>
}
