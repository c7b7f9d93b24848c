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
import { pascalCase } from '../payload.js'
import { deleted, objectTags, partWritten, tagCloud, written } from './fixed-answers.js'
import { categoryTagShape, taggingShape } from './shapes.js'
import { standard } from './standard.js'

const readTags = { permission: { subject: 'tags', action: 'read' }, caching: 'object' } as const
const attachTags = { permission: { subject: 'tags', action: 'attach' } } as const

const taggingPath = '/{iid}/tags/{uuid}/{predicate}/{object_uuid}'
const membersPath = '/{iid}/tags/categories/{uuid}/tags'

const taggings: readonly Endpoint[] = [
  {
    ...standard,
    ...readTags,
    operation: 'readTagging',
    id: 'readTagging',
    method: 'GET',
    path: taggingPath,
    summary: 'Read whether a tag is attached to an object',
    description: '404 where the tag isn’t attached, or isn’t attached by this predicate.',
    gives: { _tag: 'Object', of: taggingShape },
    reads: taggableCollections,
  },
  {
    ...standard,
    ...attachTags,
    operation: 'putTagging',
    id: 'attachTag',
    method: 'PUT',
    path: taggingPath,
    summary: 'Attach a tag to an object',
    description: 'Again, it changes nothing but the date, where one is sent. The body may be left out.',
    takes: { _tag: 'Object', of: taggingShape },
    gives: written,
    body: 'optional object',
  },
  {
    ...standard,
    ...attachTags,
    operation: 'removeTagging',
    id: 'detachTag',
    method: 'DELETE',
    path: taggingPath,
    summary: 'Take a tag off an object',
    description: 'The tag and the object stay.',
    gives: deleted,
  },
  {
    ...standard,
    ...readTags,
    operation: 'listTagged',
    id: 'listTaggedObjects',
    method: 'GET',
    path: '/{iid}/tags/{uuid}/{predicate}',
    summary: 'List the objects that a tag is attached to',
    description: 'Of every kind that takes the predicate, as far as the caller may see them.',
    gives: { _tag: 'Rows', of: taggedIndex },
    reads: taggableCollections,
  },
]

const tagsOf = (collection: TaggableCollection): readonly Endpoint[] => {
  const deprecated = resourceOf(collection)?.deprecated
  return ['', '/{predicate}'].map((rest) => ({
    ...standard,
    operation: 'listTags',
    id: `list${pascalCase(resourceOf(collection)?.name ?? collection)}Tags${rest === '' ? '' : 'ByPredicate'}`,
    method: 'GET',
    path: `/{iid}/${collection}/{uuid}/tags${rest}`,
    summary: `List the tags of an object${rest === '' ? '' : ' by predicate'}`,
    description: 'As far as the caller may see them, in the order in which they were attached.',
    gives: objectTags,
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
    id: 'listCategoryTags',
    method: 'GET',
    path: membersPath,
    summary: 'List the tags of a category',
    description: 'In the order of the category; one page of rows, as in the collection of tags.',
    gives: { _tag: 'Rows', of: rowsOfMembers(categoryTags) },
    members: categoryTags,
    reads: ['tags'],
  },
  {
    ...standard,
    ...updateCategory,
    operation: 'replaceMembers',
    id: 'replaceCategoryTags',
    method: 'PUT',
    path: membersPath,
    summary: 'Replace the tags of a category',
    description:
      'The whole list, in its order; a tag that stands twice is kept once. Rows as GET returns them, with `uuid` or `url` among their fields, and objects with `uuid` are accepted too.',
    takes: { _tag: 'Items', name: 'CategoryTags', of: categoryTagShape, most: categoryTags.max },
    gives: partWritten,
  },
  {
    ...standard,
    ...updateCategory,
    operation: 'addMember',
    id: 'addCategoryTag',
    method: 'POST',
    path: membersPath,
    summary: 'Add a tag to a category',
    description: 'Behind the others; what is in the list already stays where it is.',
    takes: { _tag: 'Object', of: categoryTagShape },
    gives: partWritten,
  },
  {
    ...standard,
    ...readTags,
    operation: 'readTagCategories',
    id: 'listCategoriesOfTag',
    method: 'GET',
    path: '/{iid}/tags/{uuid}/categories',
    summary: 'List the categories of a tag',
    description: 'One page of rows, as in the collection of tag categories.',
    gives: { _tag: 'Rows', of: tagCategory },
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
    id: 'readTagCloud',
    method: 'GET',
    path: '/{iid}/tag_cloud',
    summary: 'Read which tags live objects carry most',
    description: 'Approved tags on live objects, by how many carry them, then by title.',
    gives: tagCloud,
    parameters: Object.entries(cloudParameters).map(([name, rest]) => ({ name, ...rest })),
    reads: ['content', 'locations', 'tag_categories'],
    timed: true,
  },
]
