import {
  nowIn,
  type NaiveDateTime,
  type Resource,
  type Role,
  type Settings,
  type ViewContext,
} from '@publishing-service/domain'
import { clockTimeIn, type ClockTime } from '@publishing-service/domain/time'
import { tooManyPixels, type RecordedImage } from '@publishing-service/domain/images'
import type { CollectionQuery, Listing, Parameters } from '@publishing-service/domain/lists'
import type { Reference } from '@publishing-service/domain/declare'
import type { Filter } from '@publishing-service/domain/filters'
import type { Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Change, Document } from '@publishing-service/ports'
import { clientAddress } from '@publishing-service/access'
import { subjectsWithVersions, type Subject } from '@publishing-service/domain/roles'
import type { Count, Links } from '@publishing-service/domain/engine'
import type { FindUsers } from './access/find-users.js'
import type { PreviewTokens } from './access/preview-tokens.js'
import type { Instances } from './access/instances.js'
import type { RowsQuery } from './administration/rows-query.js'
import type { Caller, Instance } from './caller.js'
import type { CommentSenders } from './comments/comment-senders.js'
import type { Derivatives } from './files/derivatives.js'
import type { Requester } from './files/scaling-queue.js'
import type { ChangeRecords } from './audit/change-records.js'
import type { InstanceStore, WriteConflict } from './instance-store.js'
import type { Dependencies } from './write-counters.js'
import type { KeyedMutex } from './keyed-mutex.js'
import type { Precondition } from './engine/precondition.js'
import type { Presences } from './presence/presences.js'
import type { ChangeObject } from './engine/update-document.js'
import type { Deployment, Ports } from './ports.js'
import type { SystemParts } from './system-parts.js'
import type { WebhookParts } from './webhooks/webhook-parts.js'

/** What all sessions share: ports without instances, and the state of this process. */
export type Services = Pick<Ports, 'blobs' | 'checksum' | 'clock' | 'ids' | 'imaging' | 'log'> & {
  readonly findUsers: FindUsers
  readonly presences: Presences
  readonly commentSenders: CommentSenders
  readonly previewTokens: PreviewTokens
  readonly deployment: Deployment
  readonly derivatives: Derivatives
  readonly instances: Instances
  readonly system: SystemParts
  readonly webhooks: WebhookParts
  readonly topics: Topics
}

/** An object, by its resource and id. */
export type ObjectAddress = { readonly resource: Resource; readonly id: string }

/** What topics add to the reads and writes of the engine, which imports none of them (`topics.ts`). */
export type Topics = {
  /** The objects that conditions name, other than by references. */
  readonly namedIn: (where: readonly Filter[]) => readonly Reference[]
  /** Each replaces the names in conditions by the objects that have them. `find` finds those that `namedIn` returned. */
  readonly named: readonly ((
    session: Session,
    where: readonly Filter[],
    find: ViewContext['find'],
  ) => Promise<readonly Filter[]>)[]
  /** Objects near a point. */
  readonly near: {
    /** A page of those that meet conditions, the nearest first. */
    readonly list: (
      session: Session,
      resource: Resource,
      point: string,
      query: CollectionQuery,
      where: readonly Filter[],
    ) => Promise<Listing>
    /** The conditions with the objects in the circle that they name. */
    readonly named: (session: Session, where: readonly Filter[]) => Promise<readonly Filter[]>
  }
  /** The names among these that other objects have where an object with this state has its own. */
  readonly takenNames: (
    session: Session,
    object: ObjectAddress,
    state: JsonObject,
    names: readonly string[],
  ) => Promise<ReadonlySet<string>>
  /** What is written with an object that gets another state. */
  readonly written: (
    session: Session,
    object: ObjectAddress,
    previous: JsonObject | null,
    state: JsonObject,
  ) => Promise<Either<WriteConflict, readonly Change[]>>
  /** What is written with the removal of an object that has this state. */
  readonly removed: readonly ((
    session: Session,
    object: ObjectAddress,
    state: JsonObject,
  ) => Promise<readonly Change[]>)[]
  /** Runs before an object is created with an id that the client has chosen. */
  readonly beforeCreation: ReadonlyMap<Subject, (session: Session, id: string) => Promise<void>>
  /**
   * Runs after an object was removed that is not in the trash. Its failure does not restore the object. Another object may
   * have the same id by then, so it removes only what the removed document refers to.
   */
  readonly afterRemoval: ReadonlyMap<Subject, (session: Session, removed: Document) => Promise<void>>
}

/** Who a session is opened for. */
export type Authorised = {
  readonly role: Role
  /** UUID of the API user; null for the service itself and for requests without a token. */
  readonly user: string | null
  /** The API key of the request; null for a request without a token. */
  readonly key: string | null
  readonly instance: Instance
}

/** Rows of the records of an instance. */
type RecordsQuery = Pick<RowsQuery, 'rows' | 'parameters' | 'where' | 'initialOrder'>

/** What the sessions of a process are opened over. */
export type SessionSource = {
  readonly services: Services
  /** Runs tasks of the same key one at a time. */
  readonly exclusively: KeyedMutex
  readonly recordsPage: (session: Session, query: RecordsQuery) => Promise<Listing>
  /** A page of those who may edit the instance of the session. */
  readonly peoplePage: (session: Session, parameters: Parameters) => Promise<Listing>
  readonly recordsOf: (documents: InstanceStore) => ChangeRecords
}

/** The request of a session. */
export type SessionRequest = {
  /** Remote address of the client; null for the command line. */
  readonly address: string | null
  readonly links: Links
  readonly strict: boolean
  readonly precondition?: Precondition | undefined
}

/** The time of a session. */
type SessionTime = { readonly epoch: number; isRead: boolean }

/**
 * One execution of an operation: the caller, and the ports. The documents are those of the caller's instance. A class,
 * because each request has one: accessors in a literal are defined anew for each object, and a spread would read them.
 */
export class Session implements Caller, Services {
  readonly blobs: Services['blobs']
  readonly checksum: Services['checksum']
  readonly clock: Services['clock']
  readonly deployment: Services['deployment']
  readonly derivatives: Services['derivatives']
  readonly ids: Services['ids']
  readonly imaging: Services['imaging']
  readonly instances: Services['instances']
  readonly log: Services['log']
  readonly findUsers: Services['findUsers']
  readonly presences: Services['presences']
  readonly commentSenders: Services['commentSenders']
  readonly previewTokens: Services['previewTokens']
  readonly system: Services['system']
  readonly webhooks: Services['webhooks']
  readonly topics: Services['topics']
  readonly role: Role
  readonly user: string | null
  readonly key: string | null
  readonly instance: Instance
  readonly settings: Settings
  readonly links: Links
  readonly strict: boolean
  /** If-Match and If-None-Match, over the representation that the operation writes. */
  readonly precondition: Precondition | undefined
  /**
   * Operations that read receive damaged documents as `unreadable` from queries, and no damaged documents by id. In
   * operations that write, a damaged document is a defect.
   */
  readonly documents: InstanceStore
  /** What the session has read: the write counters of the collections, with their values before the read. */
  readonly dependencies: Dependencies
  /** Runs tasks of the same key in this instance one at a time. */
  readonly exclusively: KeyedMutex
  /** Changes drafts in place of the objects; null if the objects are changed. */
  readonly draftChange: ChangeObject | null
  private readonly source: SessionSource
  private readonly request: SessionRequest
  private readonly time: SessionTime

  constructor(
    source: SessionSource,
    { role, user, key, instance }: Authorised,
    request: SessionRequest,
    documents: InstanceStore,
    time: SessionTime,
    draftChange: ChangeObject | null = null,
  ) {
    const { services } = source
    this.blobs = services.blobs
    this.checksum = services.checksum
    this.clock = services.clock
    this.deployment = services.deployment
    this.derivatives = services.derivatives
    this.ids = services.ids
    this.imaging = services.imaging
    this.instances = services.instances
    this.log = services.log
    this.findUsers = services.findUsers
    this.presences = services.presences
    this.commentSenders = services.commentSenders
    this.previewTokens = services.previewTokens
    this.system = services.system
    this.webhooks = services.webhooks
    this.topics = services.topics
    this.role = role
    this.user = user
    this.key = key
    this.instance = instance
    this.settings = instance.settings
    this.links = request.links
    this.strict = request.strict
    this.precondition = request.precondition
    this.documents = documents
    this.dependencies = documents.dependencies
    this.exclusively = (name, task) => source.exclusively(`${instance.number}/${name}`, task)
    this.source = source
    this.request = request
    this.time = time
    this.draftChange = draftChange
  }

  /** Whether the deployment scales an image: one in a format of its imaging, within its limit. */
  canScale(image: RecordedImage): boolean {
    const { formats, cmyk } = this.imaging
    return (
      formats.includes(image.format) &&
      (cmyk || !image.isCmyk) &&
      tooManyPixels(image, this.deployment.imageLimits) === null
    )
  }

  /** The address of a request without a token; null for a request with one. */
  get visitorAddress(): string | null {
    return this.user === null ? (this.request.address ?? '') : null
  }

  /** Who requests a scaled image: the API user of the token, or the address of a request without one. */
  get requester(): Requester {
    const { user, instance, request } = this
    const client = user === null ? `address ${clientAddress(request.address ?? '')}` : `user ${user}`
    return { instance: instance.number, client, isAnonymous: user === null }
  }

  get localTime(): NaiveDateTime {
    return nowIn(this.settings.timezone, this.time.epoch)
  }

  get now(): ClockTime {
    this.time.isRead = true
    return clockTimeIn(this.settings.timezone, this.time.epoch)
  }

  /** Whether the session has read the clock, so that its result changes with time. */
  get isTimed(): boolean {
    return this.time.isRead
  }

  /** The same session with what the public sees. */
  asPublic(): Session {
    const { user, key, instance } = this
    return new Session(
      this.source,
      { role: 'public_user', user, key, instance },
      this.request,
      this.documents,
      this.time,
    )
  }

  /** The same session on the draft of an object: `draftChange` changes that, where the operation changes the object. */
  onDraft({ collection }: Resource, draftChange: ChangeObject | null): Session {
    const { role, user, key, instance, links } = this
    const request = {
      ...this.request,
      links: {
        ...links,
        slot: links.draftSlot,
        tagging: (label: string, predicate: string, object: string) =>
          links.draftTagging(collection, object, predicate, label),
      },
    }
    return new Session(
      this.source,
      { role, user, key, instance },
      request,
      this.documents,
      this.time,
      draftChange,
    )
  }

  /** The records of changes of the instance. */
  get records(): ChangeRecords {
    return this.source.recordsOf(this.documents)
  }

  /** A page of those who may edit the instance, by name. */
  peoplePage(parameters: Parameters): Promise<Listing> {
    return this.source.peoplePage(this, parameters)
  }

  /** A page of the records of the instance. */
  recordsPage(query: RecordsQuery): Promise<Listing> {
    return this.source.recordsPage(this, query)
  }
}

/** Whether an object that the session removes is in the trash, with what is deleted together with it. */
export const retainsRemoved = (
  { deployment, documents }: Pick<Session, 'deployment' | 'documents'>,
  { collection }: Resource,
): boolean =>
  deployment.trashTime > 0 && documents.recording.isRecorded && subjectsWithVersions.has(collection)

/** The values of counts, by the id of the object; an absent one is 0. */
export type Counted = ReadonlyMap<Count, ReadonlyMap<string, number>>

type ViewOptions = Partial<Pick<ViewContext, 'find' | 'highlight'>> & { readonly counted?: Counted }

const findNothing: ViewContext['find'] = () => undefined
export const countNothing: Counted = new Map()

/**
 * The context of a view of the object with this id. Without options it has no references and no counts. A class, because
 * each row has one: an accessor in a literal is defined anew for each object, and a spread would read `now`.
 */
export class SessionView implements ViewContext {
  readonly role: Role
  readonly settings: Settings
  readonly links: Links
  readonly find: ViewContext['find']
  declare readonly highlight?: NonNullable<ViewContext['highlight']>
  private readonly session: Session
  private readonly counted: Counted

  constructor(
    session: Session,
    readonly id: string,
    { find = findNothing, counted = countNothing, highlight }: ViewOptions = {},
  ) {
    this.session = session
    this.role = session.role
    this.settings = session.settings
    this.links = session.links
    this.find = find
    this.counted = counted
    if (highlight !== undefined) this.highlight = highlight
  }

  get now(): ClockTime {
    return this.session.now
  }

  canScale(image: RecordedImage): boolean {
    return this.session.canScale(image)
  }

  count(count: Count): number {
    return this.counted.get(count)?.get(this.id) ?? 0
  }
}
