import type { PathRule } from '../paths/public-path.js'
import { derived, stored, type WholeOf } from '../resource/attribute.js'
import { image } from '../files/file-data.js'
import { sampleObjects, defineResource, type ResourceWith } from '../resource/resource.js'
import { uuidsFilter } from '../resource/collection-filter.js'
import {
  laterStamps,
  titleOrder,
  touchedAttributes,
  touchedFilter,
  touchedOrder,
  stampFilters,
} from '../resource/standard-attributes.js'
import { reference } from '../value/reference.js'
import { maxOrdinal, ordinal, boolean, integer } from '../value/scalar.js'
import { webAddressOrPath } from '../value/address.js'
import { text, urlname } from '../value/text.js'

/** The public path of a section is below that of its parent (docs/behaviour/paths.md#public-path). */
export const sectionPath = { prefix: '/', section: 'parent_uuid' } as const satisfies PathRule

const attributes = {
  title: stored(text({ max: 255, min: 1 }), 'Title.', { required: true }),
  urlname: stored(
    urlname,
    'Name in public paths; unique within the parent section, also among its content. Made from the title if an object is created without it.',
    { required: true, madeFrom: ({ title }: { readonly title: string | null }) => String(title) },
  ),
  ord: stored(ordinal, 'Position among siblings; after the last one by default.', { alwaysSet: true }),
  parent_uuid: stored(reference('sections'), 'Parent section; null at the top.', { fieldAlias: 'parentid' }),
  auto_featured_stories: stored(boolean, 'Whether featured stories are chosen automatically.', {
    initial: true,
  }),
  auto_featured_stories_num: stored(
    integer({ min: 0, max: 1000 }),
    'Number of automatically featured stories.',
    {
      initial: 5,
    },
  ),
  externalurl: stored(
    webAddressOrPath,
    'Address, or path of the website, that the section leads to instead of its own page.',
  ),
  ...image('feature_image', 'Feature image'),
  content_uuid: stored(reference('content'), 'Lead story.'),
  lead_story_url: derived(
    { type: 'string', format: 'uri' },
    'API URL of the lead story.',
    ({ content_uuid: id }: { readonly content_uuid: string | null }, view) =>
      typeof id === 'string' && view.find('content', id) !== undefined
        ? view.links.object('content', id)
        : null,
    { needs: ['content_uuid'], nullable: true },
  ),
  hide_in_nav: stored(boolean, 'Whether navigation leaves the section out.', { initial: false }),
  meta_title: stored(text({ max: 1000 }), 'Title for search engines.'),
  meta_description: stored(text({ max: 5000 }), 'Description for search engines.'),
  meta_keywords: stored(text({ max: 5000 }), 'Keywords for search engines.'),
  show_prev_next: stored(boolean, 'Whether content in the section links to the previous and next content.', {
    initial: false,
  }),
  ...laterStamps,
  ...touchedAttributes,
  title_order: titleOrder('title'),
} as const

export type Section = WholeOf<typeof attributes>

/** Sections of a publication, in a tree (docs/behaviour/sections.md). */
export const section: ResourceWith<typeof attributes, 'sections'> = defineResource({
  name: 'section',
  collection: 'sections',
  description: 'Sections order the content of a publication in a tree.',
  examples: {
    id: sampleObjects.section,
    deletable: 'f1d20c6e-92b7-4f0a-8c35-6a7e4d1b9083',
    bodies: [{ title: 'Sport', urlname: 'sport', ord: 4, meta_description: 'Games, and who plays them.' }],
    change: { show_prev_next: true },
  },
  attributes,
  orders: {
    urlname: 'urlname',
    title: 'title_order',
    ord: 'ord',
    created: 'created',
    modified: 'modified',
    ...touchedOrder,
  },
  filters: {
    ...touchedFilter,
    parent: uuidsFilter('parent_uuid', 'Only sections below these', ['root']),
    ...stampFilters,
  },
  indexes: [
    ['parent_uuid', 'ord'],
    ['parent_uuid', 'title_order'],
    ['parent_uuid', 'urlname'],
  ],
  dependences: [
    { collection: 'sections', key: 'parent_uuid', onDeletion: 'fail', what: 'subsections' },
    { collection: 'content', key: 'section_uuid', onDeletion: 'fail', what: 'content' },
  ],
  tree: { parent: 'parent_uuid', shownBelow: ['title', 'urlname', 'parent_uuid'] },
  path: sectionPath,
  unique: ({ parent_uuid }) => ({
    scope: parent_uuid ?? 'root',
    message: 'urlname not unique within parent section',
  }),
  siblingDefault: (state) =>
    state.ord !== null
      ? null
      : {
          where: [{ key: 'parent_uuid', equals: state.parent_uuid }],
          order: [{ key: 'ord', direction: 'desc' }],
          apply: (last) => ({ ...state, ord: Math.min(maxOrdinal, (last?.ord ?? 0) + 1) }),
        },
})
