/** The sample's sections, parents before children. */
import type { JsonObject } from '@publishing-service/domain'
import { photographs } from './photographs.js'

/** A section under a fixed UUID, with what a PUT of it sends. */
export type PlantedSection = { readonly id: string; readonly attributes: JsonObject }

const space: PlantedSection = {
  id: 'a0d4e177-1cdc-4d78-9672-b29388259cf9',
  attributes: {
    title: 'Space',
    urlname: 'space',
    ord: 1,
    feature_image_uuid: photographs.deepField.id,
    meta_description: 'What can be seen from down here, and from up there.',
  },
}

const spaceflight: PlantedSection = {
  id: '4c390b38-8eb2-4dea-adc4-1fcbf0c57fac',
  attributes: {
    title: 'Spaceflight',
    urlname: 'spaceflight',
    ord: 1,
    parent_uuid: space.id,
    feature_image_uuid: photographs.rocket.id,
    meta_description: 'Rockets, and the people who wait for them.',
  },
}

const foodAndDrink: PlantedSection = {
  id: 'c2ff66b8-0289-4edd-98f1-fe2744106f5f',
  attributes: {
    title: 'Food and Drink',
    urlname: 'food-and-drink',
    ord: 2,
    feature_image_uuid: photographs.espresso.id,
    meta_description: 'Small recipes, mostly with coffee.',
  },
}

const culture: PlantedSection = {
  id: '30132a78-6b96-4161-aabc-e1d53ae661f8',
  attributes: {
    title: 'Culture',
    urlname: 'culture',
    ord: 3,
    show_prev_next: true,
    feature_image_uuid: photographs.cat.id,
    meta_description: 'Books, films, records and one cat.',
  },
}

export const sections = { space, spaceflight, foodAndDrink, culture } as const
