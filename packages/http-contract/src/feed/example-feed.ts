import type { Feed, News, Sitemap } from '@publishing-service/domain/feeds'

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
