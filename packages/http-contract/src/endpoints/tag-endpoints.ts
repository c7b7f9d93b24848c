import {
  categoryTags,
  cloudParameters,
  resourceOf,
  rowsOfMembers,
  tagCategory,
  taggableCollections,
  taggedIndex,
  type TaggableCollection,
} from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

const readTags = { permission: { subject: 'tags', action: 'read' }, caching: 'object' } as const
const updateTags = { permission: { subject: 'tags', action: 'update' } } as const

const taggingPath = '/{iid}/tags/{uuid}/{predicate}/{object_uuid}'
const membersPath = '/{iid}/tags/categories/{uuid}/tags'

const taggings: readonly Endpoint[] = [
  {
    ...standard,
    ...readTags,
    operation: 'readTagging',
    method: 'GET',
    path: taggingPath,
    summary: 'Read whether a tag is attached to an object',
    reads: taggableCollections,
  },
  {
    ...standard,
    ...updateTags,
    operation: 'putTagging',
    method: 'PUT',
    path: taggingPath,
    summary: 'Attach a tag to an object',
    body: 'optional object',
  },
  {
    ...standard,
    ...updateTags,
    operation: 'removeTagging',
    method: 'DELETE',
    path: taggingPath,
    summary: 'Take a tag off an object',
  },
  {
    ...standard,
    ...readTags,
    operation: 'listTagged',
    method: 'GET',
    path: '/{iid}/tags/{uuid}/{predicate}',
    summary: 'List the objects that a tag is attached to',
    rows: taggedIndex,
    reads: taggableCollections,
  },
]

const tagsOf = (collection: TaggableCollection): readonly Endpoint[] => {
  const deprecated = resourceOf(collection)?.deprecated
  return ['', '/{predicate}'].map((rest) => ({
    ...standard,
    operation: 'listTags',
    method: 'GET',
    path: `/{iid}/${collection}/{uuid}/tags${rest}`,
    summary: `List the tags of an object${rest === '' ? '' : ' by predicate'}`,
    permission: { subject: collection, action: 'read' },
    caching: 'object',
    reads: ['tags'],
    ...(deprecated === undefined ? {} : { deprecated }),
  }))
}

const updateCategory = {
  permission: { subject: 'tag_categories', action: 'update' },
  body: 'object',
  members: categoryTags,
} as const

const categories: readonly Endpoint[] = [
  {
    ...standard,
    permission: { subject: 'tag_categories', action: 'read' },
    caching: 'object',
    operation: 'readCategoryTags',
    method: 'GET',
    path: membersPath,
    summary: 'List the tags of a category',
    members: categoryTags,
    rows: rowsOfMembers(categoryTags),
    reads: ['tags'],
  },
  {
    ...standard,
    ...updateCategory,
    operation: 'replaceMembers',
    method: 'PUT',
    path: membersPath,
    summary: 'Replace the tags of a category',
  },
  {
    ...standard,
    ...updateCategory,
    operation: 'addMember',
    method: 'POST',
    path: membersPath,
    summary: 'Add a tag to a category',
  },
  {
    ...standard,
    ...readTags,
    operation: 'readTagCategories',
    method: 'GET',
    path: '/{iid}/tags/{uuid}/categories',
    summary: 'List the categories of a tag',
    rows: tagCategory,
    reads: ['tag_categories'],
  },
]

/** Attaching tags, categories and the tag cloud (specification, endpoint table; decisions §11, §12). */
export const tagEndpoints: readonly Endpoint[] = [
  ...categories,
  ...taggings,
  ...taggableCollections.flatMap(tagsOf),
  {
    ...standard,
    ...readTags,
    operation: 'readTagCloud',
    method: 'GET',
    path: '/{iid}/tag_cloud',
    summary: 'Read which tags live objects carry most',
    parameters: Object.entries(cloudParameters).map(([name, rest]) => ({ name, ...rest })),
    reads: ['content', 'locations', 'tag_categories'],
    timed: true,
  },
]
