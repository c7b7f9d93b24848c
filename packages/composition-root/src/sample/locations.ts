/** The sample's locations: an observatory, and two listings of the directory, one of them with a coupon. */
import type { JsonObject } from '@publishing-service/domain'
import { photographs } from './photographs.js'

/** A location under a fixed UUID, with what a PUT of it sends. */
export type PlantedLocation = {
  readonly id: string
  readonly attributes: JsonObject
  /** The images of a listing, in order. */
  readonly images: readonly string[]
}

const observatory: PlantedLocation = {
  id: '5e8a4e1c-93f5-4d0f-8f9f-3a1f6f0a9c21',
  attributes: {
    title: 'The Old Observatory',
    urlname: 'old-observatory',
    sort_title: 'Old Observatory, The',
    description: 'A dome that no longer turns, and the meadow behind it, where the dark is.',
    content: '<p>The lens went to the museum. The meadow stayed, and so did everybody who came for it.</p>',
    state: 'published',
    created: '2025-08-01T10:00:00',
    modified: '2025-08-20T10:00:00',
    street: 'Observatory Lane',
    streetnumber: '1',
    pcode: '1180',
    coords: [48.2317, 16.3358],
    thumb_uuid: photographs.deepField.id,
    opening_hours: 'First Friday of each month:\nfrom dusk until the last one goes home',
    price_index: 'free',
  },
  images: [],
}

const espressoBar: PlantedLocation = {
  id: 'b2a0c9d4-6f1e-4a57-9c1b-7d3e5a4f8e02',
  attributes: {
    title: 'Bar Minuto',
    urlname: 'bar-minuto',
    kicker: 'Espresso',
    description: 'Eight seats, one machine, no chairs with backs. You are meant to leave again.',
    content: '<p>The menu is a list of four words. The fourth is <em>affogato</em>.</p>',
    state: 'published',
    created: '2025-08-05T09:00:00',
    modified: '2025-09-01T09:00:00',
    street: 'Coppersmith Street',
    streetnumber: '12a',
    pcode: '1010',
    coords: [48.2105, 16.3731],
    phone: '+43 1 0000000',
    website: 'https://minuto.example.org',
    thumb_uuid: photographs.espresso.id,
    opening_hours: 'Mon–Fri 7–19\nSat 8–14',
    price_index: 'inexpensive',
    instagram_username: 'barminuto',
    is_listing: true,
    sponsored: true,
    contact_person: 'Ines Moka',
    contact_email: 'ines@minuto.example.org',
    listing_start: '2025-09-01T00:00:00',
    coupon_img_uuid: photographs.espresso.id,
    coupon_title: 'The second one is on the house',
    coupon_description: 'Say the name of a moon at the counter.',
    coupon_start: '2025-09-01T00:00:00',
  },
  images: [photographs.espresso.id, photographs.cat.id],
}

const bookshop: PlantedLocation = {
  id: 'd7c4f1a8-0b3d-4e62-8a55-1c9e2b7d6f03',
  attributes: {
    title: 'Verne & Daughters',
    urlname: 'verne-and-daughters',
    kicker: 'Books',
    description: 'Second-hand voyages: to the moon, under the sea, and twice round the world.',
    state: 'published',
    created: '2025-08-07T09:00:00',
    modified: '2025-09-02T09:00:00',
    street: 'Station Road',
    streetnumber: '80',
    pcode: '1070',
    coords: [48.2021, 16.3492],
    website: 'https://verne.example.org',
    price_index: 'moderate',
    is_listing: true,
    contact_person: 'Honorine V.',
    contact_email: 'shop@verne.example.org',
    listing_start: '2025-09-01T00:00:00',
  },
  images: [],
}

export const locations = { observatory, espressoBar, bookshop } as const
