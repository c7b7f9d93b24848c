import { resources } from '@publishing-service/domain'
import { segmentsOf } from '@publishing-service/domain/engine'
import type { Endpoint } from '../../endpoint.js'
import { pathParameters } from '../../path-parameters.js'
import { exampleUuid } from './example-value.js'

type Values = Readonly<Record<string, string | number>>

/** Values of parameters, as in addresses, by operation. Other operations have those of their path only. */
const declared: Readonly<Record<string, Values>> = {
  listCollections: { fields: 'name,url', rpp: 3 },
  listSections: { fields: 'uuid,title,parent_uuid', order: 'ord', rpp: 3 },
  listContent: {
    fields: 'url,title,content_type,issued',
    order: 'issued.desc',
    ctypes: 'articles,recipes',
    state: 'live',
    rpp: 3,
  },
  listEvents: { fields: 'title,dtstart,url', order: 'dtstart', dtstart: '2025-01-01_', rpp: 3 },
  listOccurrences: { fields: 'title,dtstart,dtend', rpp: 2 },
  listLocations: { fields: 'uuid,title,is_listing', order: 'sort_title', type: 'listing' },
  listFiles: { fields: 'title,mimetype,byte_size', order: 'byte_size.desc', groups: 'image', rpp: 3 },
  listTags: { fields: 'uuid,title,type', order: 'title', type: 'person' },
  listTagCategories: { fields: 'uuid,title' },
  listCategoryTags: { fields: 'uuid,title' },
  listCategoriesOfTag: { fields: 'uuid,title' },
  listTaggedObjects: { fields: 'type,title,url', order: 'created.desc', rpp: 3 },
  listComments: { fields: 'uuid,parent_type,parent_uuid,title', order: 'tree', state: 'published', rpp: 3 },
  listRedirects: { fields: 'uuid,pattern,template', order: 'ord' },
  listBlogs: { fields: 'uuid,title' },
  listHomepage: { fields: 'uuid,title' },
  readTagCloud: { limit: 3 },
  readEventCalendar: { uuid: 'c662fa3a-4d91-402a-8642-902be1ac85fe' },
  resolvePath: { path: '/' },
  exportRedirects: { format: 'netlify' },
  readWebPage: { path: '/' },
  searchObjects: { q: 'market', fields: 'type,title,highlight', rpp: 3 },
  downloadFile: { w: 640 },
  listUsers: { fields: 'uuid,name,roles', order: 'name', rpp: 3 },
  listWebhooks: { fields: 'uuid,url,events,active,failing_since' },
  listDeliveries: { fields: 'uuid,event,path,state,status,failure', state: 'failed', rpp: 3 },
  listExports: { fields: 'uuid,state,bytes,download_url' },
  listImports: { fields: 'uuid,kind,state,done,total' },
  listImportLines: { fields: 'number,source,title,outcome,faults', outcome: 'refused', rpp: 3 },
  listKeys: { fields: 'api_key,created,last_used' },
  listInstances: { fields: 'id,title,url' },
  removeInstance: { iid: 2, title: 'News' },
  listAudit: { fields: 'created,name,operation,collection,object', rpp: 3 },
  listInstanceAudit: { fields: 'created,name,operation,collection,object', rpp: 3 },
}

/** The segments of a collection in the path of an endpoint: `tags/categories` in `/{iid}/tags/categories/{uuid}`. */
export const collectionIn = (path: string): string =>
  /^\/(?:\{iid\}\/)?([a-z_/]*[a-z_])/.exec(path)?.[1] ?? ''

const examplesIn = new Map(resources.map((resource) => [segmentsOf(resource), resource.examples]))

/** The id of an object in a collection, by the segments of its path below that of the instance. */
export const exampleId = (collection: string): string => examplesIn.get(collection)?.id ?? exampleUuid

const objectOf = ({ path, method }: Pick<Endpoint, 'path' | 'method'>): string => {
  const collection = collectionIn(path)
  const isRemoved = method === 'DELETE' && path.endsWith('{uuid}')
  return (isRemoved ? examplesIn.get(collection)?.deletable : undefined) ?? exampleId(collection)
}

/** Example values of the parameters of an endpoint, as in addresses, where they are not the same for all endpoints. */
export const exampleParameters = (endpoint: Pick<Endpoint, 'id' | 'path' | 'method'>): Values => ({
  ...(endpoint.path.includes('{uuid}') ? { uuid: objectOf(endpoint) } : {}),
  ...declared[endpoint.id],
})

/** A path with examples in place of its parameters. */
export const examplePath = (endpoint: Pick<Endpoint, 'id' | 'path' | 'method'>): string => {
  const values = exampleParameters(endpoint)
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_braced, name: string) =>
    String(values[name] ?? pathParameters[name]?.example ?? name),
  )
}
