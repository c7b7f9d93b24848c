import { tagCategory, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { categoryTags, cloudParameters, taggedIndex } from '@publishing-service/domain/tags'
import { pageLimits } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { rowsOfMembers, segmentsOf } from '@publishing-service/domain/engine'
import { deprecation } from '../endpoints/resource-endpoints.js'
import { instanceEndpoint } from '../endpoint.js'
import { pascalCase } from '../payload.js'
import {
  deleted,
  draftTagAttached,
  includingItemsOf,
  objectOf,
  pageBody,
  partWritten,
  rowsOf,
  tagAttached,
  tagCloud,
  type ResponseContext,
} from '../response.js'
import { categoryTagShape, objectTagShape, taggingShape } from '../endpoints/shapes.js'

/** The tags of an object (docs/behaviour/tags.md#tags-of-an-object). */
const objectTags = includingItemsOf({ _tag: 'Items', name: 'ObjectTags', of: objectTagShape })

const taggingPath = '/{iid}/tags/{uuid}/{predicate}/{object_uuid}'
const membersPath = '/{iid}/tags/categories/{uuid}/tags'

type TaggingPath = { readonly uuid: string; readonly predicate: string; readonly object_uuid: string }

const taggingAddress = ({ path: { uuid, predicate, object_uuid } }: { readonly path: TaggingPath }) => ({
  tagId: uuid,
  predicate,
  objectId: object_uuid,
})

const taggings = {
  readTagging: instanceEndpoint({
    operation: operations.readTagging,
    id: 'readTagging',
    method: 'GET',
    path: taggingPath,
    summary: 'Read whether a tag is attached to an object',
    description: '404 if the tag is not attached by this predicate.',
    caching: 'object',
    body: 'none',
    input: taggingAddress,
    response: objectOf(taggingShape),
  }),
  attachTag: instanceEndpoint({
    operation: operations.attachTag,
    id: 'attachTag',
    method: 'PUT',
    path: taggingPath,
    summary: 'Attach a tag to an object',
    description: 'If it is attached already, only a date that is sent changes. The body may be left out.',
    body: 'optional object',
    requestPayload: { _tag: 'Object', of: taggingShape },
    input: (request) => ({ ...taggingAddress(request), body: request.body }),
    response: tagAttached,
  }),
  detachTag: instanceEndpoint({
    operation: operations.detachTag,
    id: 'detachTag',
    method: 'DELETE',
    path: taggingPath,
    summary: 'Detach a tag from an object',
    description: 'The tag and the object are not deleted.',
    body: 'none',
    input: taggingAddress,
    response: deleted,
  }),
  listTaggedObjects: instanceEndpoint({
    operation: operations.listTagged,
    id: 'listTaggedObjects',
    method: 'GET',
    path: '/{iid}/tags/{uuid}/{predicate}',
    summary: 'List the objects that a tag is attached to',
    description:
      'Objects of every kind that the caller may see, with the fields, orders and filters of all kinds. Without `order`: content, locations, files, then blogs.',
    caching: 'object',
    body: 'none',
    input: ({ path, query }) => ({ tagId: path.uuid, predicate: path.predicate, parameters: query }),
    response: rowsOf(taggedIndex),
  }),
}

/** The endpoints of the tags of a resource. */
export const tagListEndpoints = (resource: Resource) => {
  const { collection, name } = resource
  const common = {
    operation: operations.listTags(resource.collection),
    method: 'GET',
    description: 'The tags that the caller may see, in the order in which they were attached.',
    caching: 'object',
    response: objectTags,
    ...deprecation(resource),
  } as const
  return {
    list: instanceEndpoint({
      ...common,
      id: `list${pascalCase(name)}Tags`,
      path: `/{iid}/${collection}/{uuid}/tags`,
      summary: 'List the tags of an object',
      body: 'none',
      input: ({ path, query }) => ({ id: path.uuid, predicate: null, parameters: query }),
    }),
    listByPredicate: instanceEndpoint({
      ...common,
      id: `list${pascalCase(name)}TagsByPredicate`,
      path: `/{iid}/${collection}/{uuid}/tags/{predicate}`,
      summary: 'List the tags of an object by predicate',
      body: 'none',
      input: ({ path, query }) => ({ id: path.uuid, predicate: path.predicate, parameters: query }),
    }),
  }
}

type DraftTaggingPath = { readonly uuid: string; readonly predicate: string; readonly tag_uuid: string }

const draftTaggingAddress = ({
  path: { uuid, predicate, tag_uuid },
}: {
  readonly path: DraftTaggingPath
}) => ({ objectId: uuid, predicate, tagId: tag_uuid })

/** The endpoints of the tags of the drafts of a resource (docs/behaviour/drafts.md). */
export const draftTagEndpoints = (resource: Resource) => {
  const { collection, name } = resource
  const all = `/{iid}/${segmentsOf(resource)}/{uuid}/draft/tags` as const
  const path = `${all}/{predicate}/{tag_uuid}` as const
  const single = pascalCase(name)
  return {
    list: instanceEndpoint({
      operation: operations.listDraftTags(collection),
      id: `list${single}DraftTags`,
      method: 'GET',
      path: all,
      summary: `List the tags of a draft of a ${name}`,
      description: 'The tags that the caller may see, in the order in which they were attached.',
      caching: 'unstored',
      body: 'none',
      input: ({ path: { uuid }, query }) => ({ id: uuid, predicate: null, parameters: query }),
      response: objectTags,
    }),
    read: instanceEndpoint({
      operation: operations.readDraftTagging(collection),
      id: `read${single}DraftTagging`,
      method: 'GET',
      path,
      summary: `Read whether a tag is attached to a draft of a ${name}`,
      description: '404 if the tag is not attached by this predicate.',
      caching: 'unstored',
      body: 'none',
      input: draftTaggingAddress,
      response: objectOf(taggingShape),
    }),
    attach: instanceEndpoint({
      operation: operations.attachDraftTag(collection),
      id: `attach${single}DraftTag`,
      method: 'PUT',
      path,
      summary: `Attach a tag to a draft of a ${name}`,
      description:
        'The object stays as it is. If the tag is attached already, only a date that is sent changes. The body may be left out.',
      body: 'optional object',
      requestPayload: { _tag: 'Object', of: taggingShape },
      input: (request) => ({ ...draftTaggingAddress(request), body: request.body }),
      response: draftTagAttached(collection),
    }),
    detach: instanceEndpoint({
      operation: operations.detachDraftTag(collection),
      id: `detach${single}DraftTag`,
      method: 'DELETE',
      path,
      summary: `Detach a tag from a draft of a ${name}`,
      description: 'The object and the tag stay as they are.',
      body: 'none',
      input: draftTaggingAddress,
      response: deleted,
    }),
  }
}

/** The first page of rows without parameters: clients have the entity tag of this representation. */
const firstRows = ({ items }: JsonObject, { target }: ResponseContext): JsonObject => {
  const all = Array.isArray(items) ? items : []
  const urls = all
    .slice(0, pageLimits.rpp)
    .map((item) => [typeof item === 'object' && item !== null && 'url' in item ? item.url : null])
  return pageBody(target, {
    items: urls,
    page: 1,
    next: all.length > pageLimits.rpp ? { page: 2, after: null } : null,
    previous: null,
    included: null,
    counted: null,
  })
}

const members = { path: membersPath, members: categoryTags } as const

const categories = {
  listCategoryTags: instanceEndpoint({
    ...members,
    operation: operations.listMembers(categoryTags.resource.collection),
    id: 'listCategoryTags',
    method: 'GET',
    summary: 'List the tags of a category',
    description: 'In the order of the category; one page of rows, as in the collection of tags.',
    caching: 'object',
    body: 'none',
    input: ({ path, query }) => ({ id: path.uuid, parameters: query }),
    response: rowsOf(rowsOfMembers(categoryTags)),
  }),
  replaceCategoryTags: instanceEndpoint({
    ...members,
    operation: operations.replaceMembers(categoryTags.resource.collection),
    id: 'replaceCategoryTags',
    method: 'PUT',
    summary: 'Replace the tags of a category',
    description:
      'The whole list, in its order; a duplicate is stored once. Rows as GET returns them, with `uuid` or `url` among their fields, and objects with `uuid` are accepted too.',
    body: 'object',
    requestPayload: { _tag: 'Items', name: 'CategoryTags', of: categoryTagShape, most: categoryTags.max },
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: partWritten(tagCategory.collection, `${categoryTags.shape.plural} updated`),
    representation: firstRows,
  }),
  addCategoryTag: instanceEndpoint({
    ...members,
    operation: operations.addMember(categoryTags.resource.collection),
    id: 'addCategoryTag',
    method: 'POST',
    summary: 'Add a tag to a category',
    description: 'It is added at the end; a tag that is in the list already keeps its position.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: categoryTagShape },
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: partWritten(tagCategory.collection, `${categoryTags.shape.plural.replace(/s$/, '')} added`),
    representation: firstRows,
  }),
  listCategoriesOfTag: instanceEndpoint({
    operation: operations.listTagCategories,
    id: 'listCategoriesOfTag',
    method: 'GET',
    path: '/{iid}/tags/{uuid}/categories',
    summary: 'List the categories of a tag',
    description: 'One page of rows, as in the collection of tag categories.',
    caching: 'object',
    body: 'none',
    input: ({ path, query }) => ({ tagId: path.uuid, parameters: query }),
    response: rowsOf(tagCategory),
  }),
}

/** Taggings, and the tags of categories (docs/behaviour/tags.md). */
export const tagEndpoints = { ...categories, ...taggings }

/** The tag cloud (docs/behaviour/tags.md#tag-cloud). */
export const tagCloudEndpoints = {
  readTagCloud: instanceEndpoint({
    operation: operations.readTagCloud,
    id: 'readTagCloud',
    method: 'GET',
    path: '/{iid}/tag_cloud',
    summary: 'Read the most used tags of live objects',
    description: 'Approved tags of live objects, by the number of objects, then by title.',
    caching: 'object',
    parameters: Object.entries(cloudParameters).map(([name, rest]) => ({ name, ...rest })),
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: tagCloud,
  }),
}
