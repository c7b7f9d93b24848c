import {
  categoryTags,
  cloudParameters,
  pageLimits,
  resources,
  rowsOfMembers,
  tagCategory,
  taggableCollections,
  taggedIndex,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import {
  addMember,
  attachTag,
  detachTag,
  listMembers,
  listTagCategories,
  listTagged,
  listTags,
  readTagCloud,
  readTagging,
  replaceMembers,
} from '@publishing-service/application'
import { jsonObject, noBody, optionalJsonObject, operationEndpoint, type Endpoint } from '../endpoint.js'
import { pascalCase } from '../payload.js'
import {
  deleted,
  objectOf,
  objectTags,
  pageBody,
  partWritten,
  rowsOf,
  tagAttached,
  tagCloud,
  type ResponseContext,
} from '../response.js'
import { categoryTagShape, taggingShape } from './shapes.js'

const taggingPath = '/{iid}/tags/{uuid}/{predicate}/{object_uuid}'
const membersPath = '/{iid}/tags/categories/{uuid}/tags'

type TaggingPath = { readonly uuid: string; readonly predicate: string; readonly object_uuid: string }

const taggingAddress = ({ path: { uuid, predicate, object_uuid } }: { readonly path: TaggingPath }) => ({
  tagId: uuid,
  predicate,
  objectId: object_uuid,
})

const taggings: readonly Endpoint[] = [
  operationEndpoint({
    operation: readTagging,
    id: 'readTagging',
    method: 'GET',
    path: taggingPath,
    summary: 'Read whether a tag is attached to an object',
    description: '404 if the tag is not attached by this predicate.',
    caching: 'object',
    body: noBody,
    input: taggingAddress,
    response: objectOf(taggingShape),
  }),
  operationEndpoint({
    operation: attachTag,
    id: 'attachTag',
    method: 'PUT',
    path: taggingPath,
    summary: 'Attach a tag to an object',
    description: 'If it is attached already, only a date that is sent changes. The body may be left out.',
    body: optionalJsonObject,
    requestPayload: { _tag: 'Object', of: taggingShape },
    input: (request) => ({ ...taggingAddress(request), body: request.body }),
    response: tagAttached,
  }),
  operationEndpoint({
    operation: detachTag,
    id: 'detachTag',
    method: 'DELETE',
    path: taggingPath,
    summary: 'Detach a tag from an object',
    description: 'The tag and the object are not deleted.',
    body: noBody,
    input: taggingAddress,
    response: deleted,
  }),
  operationEndpoint({
    operation: listTagged,
    id: 'listTaggedObjects',
    method: 'GET',
    path: '/{iid}/tags/{uuid}/{predicate}',
    summary: 'List the objects that a tag is attached to',
    description:
      'Objects of every kind that the caller may see, with the fields, orders and filters of all kinds. Without `order`: content, locations, files, then blogs.',
    caching: 'object',
    body: noBody,
    input: ({ path, query }) => ({ tagId: path.uuid, predicate: path.predicate, parameters: query }),
    response: rowsOf(taggedIndex),
  }),
]

const tagsOf = (resource: Resource): readonly Endpoint[] => {
  const { collection, name, deprecated } = resource
  const common = {
    operation: listTags(resource),
    method: 'GET',
    description: 'The tags that the caller may see, in the order in which they were attached.',
    caching: 'object',
    response: objectTags,
    ...(deprecated === undefined ? {} : { deprecated }),
  } as const
  return [
    operationEndpoint({
      ...common,
      id: `list${pascalCase(name)}Tags`,
      path: `/{iid}/${collection}/{uuid}/tags`,
      summary: 'List the tags of an object',
      body: noBody,
      input: ({ path }) => ({ id: path.uuid, predicate: null }),
    }),
    operationEndpoint({
      ...common,
      id: `list${pascalCase(name)}TagsByPredicate`,
      path: `/{iid}/${collection}/{uuid}/tags/{predicate}`,
      summary: 'List the tags of an object by predicate',
      body: noBody,
      input: ({ path }) => ({ id: path.uuid, predicate: path.predicate }),
    }),
  ]
}

/** The first page of rows without parameters: clients have the entity tag of this representation. */
const firstRows = ({ items }: JsonObject, { target }: ResponseContext): JsonObject => {
  const all = Array.isArray(items) ? items : []
  const urls = all
    .slice(0, pageLimits.rpp)
    .map((item) => [typeof item === 'object' && item !== null && 'url' in item ? item.url : null])
  return pageBody(target, { items: urls, page: 1, hasNext: all.length > pageLimits.rpp, included: null })
}

const members = { path: membersPath, members: categoryTags } as const

const categories: readonly Endpoint[] = [
  operationEndpoint({
    ...members,
    operation: listMembers(categoryTags),
    id: 'listCategoryTags',
    method: 'GET',
    summary: 'List the tags of a category',
    description: 'In the order of the category; one page of rows, as in the collection of tags.',
    caching: 'object',
    body: noBody,
    input: ({ path, query }) => ({ id: path.uuid, parameters: query }),
    response: rowsOf(rowsOfMembers(categoryTags)),
  }),
  operationEndpoint({
    ...members,
    operation: replaceMembers(categoryTags),
    id: 'replaceCategoryTags',
    method: 'PUT',
    summary: 'Replace the tags of a category',
    description:
      'The whole list, in its order; a duplicate is stored once. Rows as GET returns them, with `uuid` or `url` among their fields, and objects with `uuid` are accepted too.',
    body: jsonObject,
    requestPayload: { _tag: 'Items', name: 'CategoryTags', of: categoryTagShape, most: categoryTags.max },
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: partWritten(tagCategory.collection, `${categoryTags.shape.plural} updated`),
    representation: firstRows,
  }),
  operationEndpoint({
    ...members,
    operation: addMember(categoryTags),
    id: 'addCategoryTag',
    method: 'POST',
    summary: 'Add a tag to a category',
    description: 'It is added at the end; a tag that is in the list already keeps its position.',
    body: jsonObject,
    requestPayload: { _tag: 'Object', of: categoryTagShape },
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: partWritten(tagCategory.collection, `${categoryTags.shape.plural.replace(/s$/, '')} added`),
    representation: firstRows,
  }),
  operationEndpoint({
    operation: listTagCategories,
    id: 'listCategoriesOfTag',
    method: 'GET',
    path: '/{iid}/tags/{uuid}/categories',
    summary: 'List the categories of a tag',
    description: 'One page of rows, as in the collection of tag categories.',
    caching: 'object',
    body: noBody,
    input: ({ path, query }) => ({ tagId: path.uuid, parameters: query }),
    response: rowsOf(tagCategory),
  }),
]

/** Tags of objects, categories and the tag cloud (docs/behaviour/tags.md#tag-cloud). */
export const tagEndpoints: readonly Endpoint[] = [
  ...categories,
  ...taggings,
  ...taggableCollections.flatMap((collection) =>
    resources.filter((resource) => resource.collection === collection).flatMap(tagsOf),
  ),
  operationEndpoint({
    operation: readTagCloud,
    id: 'readTagCloud',
    method: 'GET',
    path: '/{iid}/tag_cloud',
    summary: 'Read the most used tags of live objects',
    description: 'Approved tags of live objects, by the number of objects, then by title.',
    caching: 'object',
    parameters: Object.entries(cloudParameters).map(([name, rest]) => ({ name, ...rest })),
    body: noBody,
    input: ({ query }) => ({ parameters: query }),
    response: tagCloud,
  }),
]
