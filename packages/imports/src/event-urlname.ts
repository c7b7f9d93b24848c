/** Names of events in public paths. */
import { urlnameFrom } from './taken-paths.js'

/** The urlname of an event. Calendars have many events of the same title, so that of a single one has its day. */
export const eventUrlname = (title: string, dtstart: string, isRecurring: boolean): string =>
  urlnameFrom('', isRecurring ? title : `${title} ${dtstart.slice(0, 10)}`, 'event')
