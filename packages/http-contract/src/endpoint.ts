import type {
  Action,
  MemberList,
  Problem,
  Queryable,
  Resource,
  Schema,
  Settings,
  StoryList,
  Subject,
} from '@publishing-service/domain'
import type { PageName } from './documentation-pages.js'
import type { Payload } from './payload.js'

export const methods = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** How long answers may be kept by whom (decisions §14). */
export type Caching = 'object' | 'settings' | 'download' | 'documentation' | 'none'

/** A query parameter of an endpoint that isn't a collection's own. */
export type Parameter = { readonly name: string; readonly description: string; readonly schema: Schema }

/**
 * One method on one path, as a value: the router, the role check, the reading of the body and the documents are all
 * made from it. `operation` names what answers it; a resource's six operations are shared by all resources.
 */
export type Endpoint = {
  readonly operation: Operation
  /** Its own name, in camel case: generated clients call their functions by it, so it stays as it is. */
  readonly id: string
  readonly method: Method
  /** Segments in braces are parameters; `{uuid}` and those that end in `_uuid` are UUIDs. */
  readonly path: string
  readonly summary: string
  /** What the summary leaves open: effects, rules, what is ignored. */
  readonly description: string
  /** The permission it needs, by subject and action; null for everybody, without a token. */
  readonly permission: { readonly subject: Subject; readonly action: Action } | null
  readonly body: 'none' | 'object' | 'optional object' | 'data' | 'form'
  /** What the body holds, where there is one. */
  readonly takes?: Payload
  /** What a good answer holds. */
  readonly gives: Payload
  /** What can go wrong beside what follows from the rest, such as a missing token where there is a permission. */
  readonly problems?: readonly Problem['_tag'][]
  /** The setting that opens it to everybody, without a token. */
  readonly openedBy?: keyof Settings & 'public_downloads'
  readonly caching: Caching
  readonly parameters: readonly Parameter[]
  readonly resource?: Resource
  /** The list of members that it reads or writes. */
  readonly members?: MemberList
  /** The list of stories that it reads or writes. */
  readonly stories?: StoryList
  /** The page for people that it answers. */
  readonly page?: PageName
  /** The page that clients are redirected to where they prefer HTML to JSON. */
  readonly htmlAt?: PageName
  /** Its answer turns with the clock, whoever asks. */
  readonly timed?: true
  /** What its answer is made from beside what the permission's subject refers to. */
  readonly reads?: readonly Subject[]
  /** No rate limit counts its requests. */
  readonly unlimited?: true
  /** The release since which it is deprecated. */
  readonly deprecated?: string
}

/** What its rows are asked by, where it answers rows: fields, order and filters (decisions §4). */
export const queryableOf = ({ gives }: Pick<Endpoint, 'gives'>): Queryable | undefined =>
  gives._tag === 'Rows' ? gives.of : undefined

export type ResourceOperation =
  'listObjects' | 'createObject' | 'readObject' | 'replaceObject' | 'changeObject' | 'removeObject'

export type Operation =
  | ResourceOperation
  | 'exchangeToken'
  | 'listCollections'
  | 'readSettings'
  | 'replaceSettings'
  | 'changeSettings'
  | 'readSetting'
  | 'readContentInfo'
  | 'listSlots'
  | 'readSlot'
  | 'putSlot'
  | 'changeSlot'
  | 'removeSlot'
  | 'listMedia'
  | 'replaceMedia'
  | 'addMedium'
  | 'readMembers'
  | 'replaceMembers'
  | 'addMember'
  | 'readCategoryTags'
  | 'readTagCategories'
  | 'readRelatedLinks'
  | 'replaceRelatedLinks'
  | 'addRelatedLink'
  | 'readPathHistory'
  | 'replacePathHistory'
  | 'addToPathHistory'
  | 'readStories'
  | 'putStories'
  | 'putTagging'
  | 'readTagging'
  | 'removeTagging'
  | 'listTags'
  | 'listTagged'
  | 'readTagCloud'
  | 'uploadFile'
  | 'downloadFile'
  | 'readDefaultThumbnail'
  | 'readService'
  | 'readLiveness'
  | 'readReadiness'
  | 'readPage'
  | 'readOpenApi'
