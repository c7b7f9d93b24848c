/** The images of teasers (docs/behaviour/pages.md#teasers). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { links, now, withWebsite } from '../testing/index.js'
import { imageOf, pathKindOf, teaserLookups } from './page-parts.js'

const view = {
  role: 'public_user',
  now,
  settings: { ...withWebsite, directory_addon: true },
  links,
  canScale: () => true,
  find: () => ({ upload: 1, mimetype: 'image/png', title: 'An image' }),
} as const

const imageIn = (collection: string, state: JsonObject): string | null => {
  const kind = pathKindOf(collection)
  if (kind === undefined) throw new Error(`${collection} has no paths`)
  const uuid = imageOf({ kind, id: 'x', state, view })?.uuid ?? null
  const looked = teaserLookups(kind, state, view).map(({ reference }) => reference.id)
  expect(looked).to.include.members(uuid === null ? [] : [uuid])
  return uuid
}

describe('the image of a teaser', () => {
  it('is the first that an object of its kind has', () => {
    expect(imageIn('content', { content_type: 'article', header_image_uuid: 'h' })).to.equal('h')
    const both = { content_type: 'article', header_image_uuid: 'h', teaser_image_uuid: 't' }
    expect(imageIn('content', both)).to.equal('t')
    expect(imageIn('sections', { feature_image_uuid: 'f' })).to.equal('f')
    expect(imageIn('tags', { feature_image_uuid: 'f' })).to.equal('f')
    expect(imageIn('tags', {})).to.equal(null)
  })

  it('is one of a listing only while the public sees that', () => {
    const listing = {
      is_listing: true,
      listing_start: '2026-01-01T00:00:00',
      listing_images: ['first', 'second'],
    }
    expect(imageIn('locations', listing)).to.equal('first')
    expect(imageIn('locations', { ...listing, thumb_uuid: 'thumb' })).to.equal('thumb')
    expect(imageIn('locations', { ...listing, listing_start: '2026-12-01T00:00:00' })).to.equal(null)
  })
})
