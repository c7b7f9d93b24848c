/** The sample's tags: subjects and persons, the category of location types, and what they are attached to. */
import { locationTypesCategory, type JsonObject, type Predicate } from '@publishing-service/domain'
import { locations } from './locations.js'
import { photographs } from './photographs.js'
import { aTripToTheMoon } from './stories/a-trip-to-the-moon.js'
import { affogato } from './stories/affogato.js'
import { firstFriday } from './stories/first-friday.js'
import { fromTheEarthToTheMoon } from './stories/from-the-earth-to-the-moon.js'
import { thirdAttempt } from './stories/third-attempt.js'
import { threePhotographs } from './stories/three-photographs.js'

/** A tag under a fixed UUID, with what a PUT of it sends, and the objects that it is attached to. */
export type PlantedTag = {
  readonly id: string
  readonly attributes: JsonObject
  readonly attached: readonly { readonly predicate: Predicate; readonly objects: readonly string[] }[]
}

const dated = { created: '2025-08-01T08:00:00', modified: '2025-08-01T08:00:00' } as const

const subject = (
  id: string,
  title: string,
  urlname: string,
  objects: readonly string[],
  rest: JsonObject = {},
): PlantedTag => ({
  id,
  attributes: { last_name_or_title: title, urlname, ...dated, ...rest },
  attached: [{ predicate: 'describes', objects }],
})

const person = (
  id: string,
  firstName: string,
  lastName: string,
  urlname: string,
  attached: PlantedTag['attached'],
): PlantedTag => ({
  id,
  attributes: { type: 'person', first_name: firstName, last_name_or_title: lastName, urlname, ...dated },
  attached,
})

const cafe = subject('6b1f7c11-2a3d-4c5e-8f60-718293a4b501', 'Café', 'cafe', [locations.espressoBar.id])
const shop = subject('6b1f7c11-2a3d-4c5e-8f60-718293a4b502', 'Shop', 'shop', [locations.bookshop.id])

export const tags: readonly PlantedTag[] = [
  subject(
    '6b1f7c11-2a3d-4c5e-8f60-718293a4b503',
    'Moon',
    'moon',
    [aTripToTheMoon.id, fromTheEarthToTheMoon.id, threePhotographs.id],
    { synonyms: ['Luna'], description: 'Where everybody wanted to go first.' },
  ),
  subject('6b1f7c11-2a3d-4c5e-8f60-718293a4b504', 'Rockets', 'rockets', [
    thirdAttempt.id,
    threePhotographs.id,
    photographs.rocket.id,
  ]),
  subject('6b1f7c11-2a3d-4c5e-8f60-718293a4b505', 'Night sky', 'night-sky', [
    firstFriday.id,
    locations.observatory.id,
    photographs.deepField.id,
  ]),
  subject('6b1f7c11-2a3d-4c5e-8f60-718293a4b506', 'Coffee', 'coffee', [
    affogato.id,
    locations.espressoBar.id,
  ]),
  cafe,
  shop,
  person('6b1f7c11-2a3d-4c5e-8f60-718293a4b507', 'Ada', 'Marchetti', 'ada-marchetti', [
    { predicate: 'authored', objects: [threePhotographs.id, thirdAttempt.id, firstFriday.id] },
  ]),
  person('6b1f7c11-2a3d-4c5e-8f60-718293a4b508', 'Jules', 'Verne', 'jules-verne', [
    { predicate: 'created_reviewed', objects: [fromTheEarthToTheMoon.id] },
  ]),
]

/** The category that reads as location types, with its tags. */
export const locationTypes = {
  id: locationTypesCategory,
  attributes: { title: 'Location types' },
  members: [cafe.id, shop.id],
} as const
