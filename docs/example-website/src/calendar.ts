/** The calendar: a month with all dates of events, by day. */
import { markup } from './markup.js'
import * as parts from './parts.js'
import { ownPage, type Page } from './own-page.js'

import type { Publication } from './publication.js'

const dayLength = 86_400_000

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The days of weeks from Monday on that contain a month; those of other months are null. */
const weeksOf = (month: string): readonly (string | null)[][] => {
  const first = Date.parse(`${month}-01`)
  const monday = first - ((new Date(first).getUTCDay() + 6) % 7) * dayLength
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => {
      const date = isoDay(monday + (week * 7 + day) * dayLength)
      return date.startsWith(month) ? date : null
    }),
  ).filter((week) => week.some((day) => day !== null))
}

/** The events of a month such as `2026-03`. */
export const calendar = async (from: Publication, month: string): Promise<Page> => {
  const { language } = await from.site()
  const words = (each: string) =>
    parts.dated(`${each}-01T00:00`, language, { month: 'long', year: 'numeric' })
  const next = (days: number) => isoDay(Date.parse(`${month}-01`) + days * dayLength).slice(0, 7)
  const [before, after] = [next(-1), next(31)]
  const found = await from.occurrences({ period: `${month}-01_${after}-01` })
  const days = new Set(found.map(({ dtstart }) => dtstart?.slice(0, 10)))
  const day = (date: string | null) => {
    const number = Number(date?.slice(8))
    return markup`<td>${date && days.has(date) ? parts.link(`#${date}`, number) : date && number}</td>`
  }
  const weekdays = Array.from({ length: 7 }, (_, index) => `2024-01-0${index + 1}T00:00`)
  const head = weekdays.map(
    (each) => markup`<th scope="col">${parts.dated(each, language, { weekday: 'short' })}</th>`,
  )
  const main = markup`${parts.heading({ title: words(month), lead: found.length === 0 && 'No events in this month.' })}
    <div class="calendar"><table class="month"><caption class="unseen">Days with events</caption>
      <thead><tr>${head}</tr></thead>
      <tbody>${weeksOf(month).map((week) => markup`<tr>${week.map(day)}</tr>`)}</tbody></table>
    ${parts.dates(found, language, 2)}</div>
    ${parts.pager(parts.link(`/calendar/${before}/`, words(before)), null, parts.link(`/calendar/${after}/`, words(after)))}`
  return ownPage(from, { path: `/calendar/${month}/`, title: `Calendar ${month}`, main })
}
