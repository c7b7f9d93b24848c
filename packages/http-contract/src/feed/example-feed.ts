import type { Feed, Sitemap } from '@publishing-service/domain/feeds'

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

export const exampleSitemap: Sitemap = { entries: [{ url: entry.url, changed: '2025-11-21' }] }
