import type { Calendar, Feed, News, Sitemap } from '@publishing-service/domain/feeds'

const url = 'https://www.example.org/'

const entry = { url: `${url}space/three-photographs-of-far-away/`, updated: '2025-11-21T08:30:00+01:00' }

/** A feed for the examples of each format. */
export const exampleFeed: Feed = {
  uuid: null,
  title: 'The Long Exposure',
  publication: 'The Long Exposure',
  language: 'en',
  url,
  updated: entry.updated,
  website: url,
  hub: null,
  entries: [
    {
      ...entry,
      uuid: '9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
      title: 'Three Photographs of Far Away',
      published: entry.updated,
      authors: ['Ada Marchetti'],
      summary: 'A few hundred metres, two metres, and thirteen billion light years.',
      html: '<p>How far can a photograph see?</p>',
      image: null,
    },
  ],
}

/** A calendar for the example. */
export const exampleCalendar: Calendar = {
  title: 'The Long Exposure',
  zone: { name: 'Europe/Vienna', offset: 3_600_000, changes: [] },
  events: [
    {
      uid: 'urn:uuid:9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
      created: '2025-11-21T07:30:00Z',
      modified: '2025-11-21T07:30:00Z',
      title: 'A night at the telescope',
      description: 'Bring warm clothes.',
      url: `${url}events/a-night-at-the-telescope/`,
      status: 'CONFIRMED',
      place: { text: 'Observatory, Hill Road 1', coordinates: [48.23, 16.29] },
      categories: ['Astronomy'],
      isOfWholeDays: false,
      start: '2026-01-16T20:00:00',
      end: '2026-01-16T23:00:00',
      rule: null,
      rdates: [],
      exdates: [],
    },
  ],
}

export const exampleSitemap: Sitemap = {
  entries: [
    {
      url: entry.url,
      changed: '2025-11-21',
      images: ['https://api.example.org/1/files/8b8c89c5-70b6-4d7c-b925-5dba3d2c2f9e/download/1'],
    },
  ],
}

export const exampleNews: News = {
  publication: 'The Long Exposure',
  language: 'en',
  entries: [{ url: entry.url, title: 'Three Photographs of Far Away', published: entry.updated }],
}
