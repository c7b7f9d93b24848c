import { firstPerPath } from '../fault.js'
import type { JsonObject } from '../json.js'
import { stored, type AttributeTable } from '../resource/attribute.js'
import { draftItems, type ItemsDraft, type ItemShape } from '../resource/draft-items.js'
import { draftAttributes, suppliedReferences } from '../resource/draft-write.js'
import { image } from '../resource/image-attributes.js'
import { listOf } from '../value/list.js'
import { reference } from '../value/reference.js'
import { boolean, integer, oneOf } from '../value/scalar.js'
import { text, webAddress } from '../value/text.js'
import type { ValueContext } from '../value/value-type.js'

const storyAttributes: AttributeTable = {
  type: stored(oneOf(['content', 'link']), 'What it leads to.', { required: true }),
  link_uuid: stored(reference('content'), 'The content object.', { only: ['content'], required: true }),
  link_url: stored(webAddress, 'The address.', { only: ['link'], required: true }),
  title: stored(text({ max: 255 }), 'Title in place of the content’s own.'),
  description: stored(text({ max: 10_000 }), 'Description in place of the content’s own.'),
  ...image('image', 'Image in place of the content’s own'),
}

/** An item of the homepage (decisions §12). */
export const story: ItemShape = {
  attributes: storyAttributes,
  variant: 'type',
  plural: 'stories',
  check: () => [],
  stands: (view) => view['type'] !== 'content' || view['link_uuid'] !== null,
}

const listAttributes: AttributeTable = {
  auto: stored(boolean, 'Whether the stories are chosen by themselves.', { initial: false }),
  auto_max: stored(integer({ min: 0, max: 100 }), 'How many at most.', { initial: 5 }),
  auto_tag_uuids: stored(
    listOf(reference('tags'), 50),
    'Only content that carries any of these tags; any content, where there are none.',
    { initial: [] },
  ),
}

/** A list of stories, without its items (specification, Homepage; decisions §12). */
export const storyList = { attributes: listAttributes } as const

/** Stories in one list. */
export const storyLimit = 100

/** A list of stories as the homepage keeps it. */
export type StoredStories = {
  readonly auto: boolean
  readonly auto_max: number
  readonly auto_tag_uuids: readonly string[]
  readonly items: readonly JsonObject[]
}

export const noStories: StoredStories = { auto: false, auto_max: 5, auto_tag_uuids: [], items: [] }

const nothing: ItemsDraft = { items: [], references: [], faults: [] }

export type StoriesDraft = Omit<ItemsDraft, 'items'> & { readonly stories: StoredStories }

/** A list of stories off the wire. What is chosen automatically has no items of its own; those sent are ignored. */
export const draftStories = (input: JsonObject, context: ValueContext): StoriesDraft => {
  const { items: _items, ...rest } = input
  const draft = draftAttributes(storyList, { mode: 'put', input: rest, previous: null, context })
  const listed =
    draft.state['auto'] === true
      ? nothing
      : draftItems(story, input, context, storyLimit, Object.keys(listAttributes))
  return {
    stories: { ...(draft.state as unknown as Omit<StoredStories, 'items'>), items: listed.items },
    references: [...suppliedReferences(storyList, draft), ...listed.references],
    faults: firstPerPath([...draft.faults, ...listed.faults]),
  }
}

/** A content object as a story that was chosen automatically. */
export const storyOf = (
  id: string,
  { title = null, description = null, teaser_image_uuid }: JsonObject,
): JsonObject => ({
  type: 'content',
  link_uuid: id,
  title,
  description,
  image_uuid: teaser_image_uuid ?? null,
})
