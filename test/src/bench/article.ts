/** A typical article: two kilobytes of JSON, text with accents, links and a slot, in a section, with two images. */
import type { JsonObject } from '@publishing-service/domain/json'

/** Twelve digits; the placeholder `{serial}` stays as it is. */
const digitsOf = (number: number | string): string =>
  typeof number === 'number' ? String(number).padStart(12, '0') : number

/** UUIDs that say what they are for, so that requests can name objects without having read them. */
export const identifier = (kind: string, number: number | string): string =>
  `${kind.repeat(8)}-0000-4000-8000-${digitsOf(number)}`

export const contentId = (number: number): string => identifier('c', number)
export const sectionId = (number: number): string => identifier('a', number)
export const fileId = (number: number): string => identifier('f', number)
const slotId = (number: number | string): string => identifier('5', number)

export const sectionCount = 20
export const imageCount = 10

const body = (slot: string): string =>
  [
    '<p>The market hall on the quay opens again on Friday, <em>eleven months</em> after the roof gave way under the snow. Forty stalls have taken up their old places, among them the cheesemonger Éloïse Grünwald, whose family has sold here since 1912.</p>',
    `<slot id="${slot}"/>`,
    '<p>“We counted every plank,” says the master builder, who led <a href="https://www.example.org/works/market-hall" title="The works in pictures">the works</a> from the first day. Larch from the valley carries the new trusses; the iron columns were cleaned, straightened and set back on their old feet. The bill came to 4.2 million, a tenth less than the council had feared.</p>',
    '<h4>What is new</h4>',
    '<ul><li>Rain from the roof cools the cellars in summer.</li><li>Deliveries come by boat before six in the morning.</li><li>On Thursdays the hall stays open until ten at night.</li></ul>',
    '<blockquote><p>A market is the one room in which the whole town meets.</p></blockquote>',
    '<p>The opening starts at nine with a breakfast for everybody who brings a cup. Trams 2 and 18 stop at the door; the car park under the square stays closed until spring. The programme of the first week, with tastings, a reading and a concert of the brass band, hangs at every entrance.</p>',
  ].join('')

/** Article number `number`, which may be a driver's placeholder; `sequence` picks its section and images. */
export const article = (number: number | string, sequence: number): JsonObject => {
  const digits = digitsOf(number)
  return {
    content_type: 'article',
    title: `The market hall opens again, part ${digits}`,
    sub_title: 'Forty stalls, a roof of larch and a breakfast for the whole town',
    kicker: 'Town life',
    urlname: `market-hall-${digits}`,
    description:
      'After eleven months of works the market hall on the quay opens on Friday. What is new, what it cost, and how to get there.',
    content: body(slotId(number)),
    state: 'published',
    section_uuid: sectionId((sequence % sectionCount) + 1),
    teaser_image_uuid: fileId((sequence % imageCount) + 1),
    header_image_uuid: fileId(((sequence + 3) % imageCount) + 1),
    meta_title: 'Market hall opens again',
    meta_description: 'The market hall on the quay opens on Friday, after eleven months.',
  }
}
