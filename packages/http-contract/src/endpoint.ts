import type {
  Action,
  MemberList,
  Queryable,
  Resource,
  Schema,
  StoryList,
  Subject,
} from '@publishing-service/domain'

export const methods = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** How long answers may be kept by whom (decisions §14). */
export type Caching = 'object' | 'settings' | 'download' | 'none'

/** A query parameter of an endpoint that isn't a collection's own. */
export type Parameter = { readonly name: string; readonly description: string; readonly schema: Schema }

/**
 * One method on one path, as a value: the router, the role check, the reading of the body and the documents are all
 * made from it. `operation` names what answers it; a resource's six operations are shared by all resources.
 */
export type Endpoint = {
  readonly operation: Operation
  readonly method: Method
  /** Segments in braces are parameters; `{uuid}` and those that end in `_uuid` are UUIDs. */
  readonly path: string
  readonly summary: string
  /** The permission it needs, by subject and action; null for everybody, without a token. */
  readonly permission: { readonly subject: Subject; readonly action: Action } | null
  readonly body: 'none' | 'object' | 'optional object' | 'data' | 'form'
  readonly caching: Caching
  readonly parameters: readonly Parameter[]
  readonly resource?: Resource
  /** What its rows are asked by, where it answers rows: fields, order and filters (decisions §4). */
  readonly rows?: Queryable
  /** The list of members that it reads or writes. */
  readonly members?: MemberList
  /** The list of stories that it reads or writes. */
  readonly stories?: StoryList
  /** Its answer turns with the clock, whoever asks. */
  readonly timed?: true
  /** What its answer is made from beside what the permission's subject refers to. */
  readonly reads?: readonly Subject[]
  /** The release since which it is deprecated. */
  readonly deprecated?: string
}

export type ResourceOperation =
  'listObjects' | 'createObject' | 'readObject' | 'replaceObject' | 'changeObject' | 'removeObject'

export type Operation =
  | ResourceOperation
  | 'exchangeToken'
  | 'listCollections'
  | 'readSettings'
  | 'changeSettings'
  | 'readSetting'
  | 'readContentInfo'
  | 'listSlots'
  | 'readSlot'
  | 'putSlot'
  | 'removeSlot'
  | 'listMedia'
  | 'replaceMedia'
  | 'addMedium'
  | 'readMembers'
  | 'replaceMembers'
  | 'addMember'
  | 'readCategoryTags'
  | 'readTagCategories'
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
  | 'readLiveness'
  | 'readReadiness'
  | 'readErrorReference'
