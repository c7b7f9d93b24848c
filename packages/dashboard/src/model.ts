/** What the dashboard knows about the API: made from the declarations when it is built (docs/architecture.md). */
import type { Role } from '@publishing-service/domain'
import type { Json } from '@publishing-service/domain/json'
import type { Need, StreamingHost } from '@publishing-service/domain/declare'
import type { ImportOutcome } from '@publishing-service/domain/imports'
import type { JobState } from '@publishing-service/domain/jobs'
import type { Action } from '@publishing-service/domain/roles'
import type { ElementModel } from './markup/element-kinds.js'

/** How a value is edited and shown. */
export type Value =
  | { readonly kind: 'text'; readonly format?: string; readonly maxLength?: number; readonly isLong: boolean }
  | { readonly kind: 'markup'; readonly hasSlots: boolean; readonly maxLength?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'date-time' }
  | { readonly kind: 'date' }
  | {
      readonly kind: 'number'
      readonly isInteger: boolean
      readonly minimum?: number
      readonly maximum?: number
    }
  | { readonly kind: 'reference'; readonly collection: string; readonly media?: 'image' | 'audio' }
  | { readonly kind: 'list'; readonly item: Value; readonly maxItems?: number }
  | { readonly kind: 'coordinates' }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  /** Texts by names that are typed. */
  | { readonly kind: 'pairs' }
  /** A recurrence rule; the fields are its parts. */
  | { readonly kind: 'recurrence'; readonly fields: readonly Field[] }

export type Field = {
  readonly name: string
  readonly value: Value
  readonly isRequired: boolean
  /** Cannot be changed after the object was created. */
  readonly isFixed: boolean
  /** The variants that have it; all by default. */
  readonly only?: readonly string[]
  readonly visibleTo?: Role
  /** Only on instances with the directory add-on. */
  readonly needsAddon: boolean
  readonly initial: Json
  /** Another field, whose value is sent whenever this one is changed. */
  readonly sentWith?: string
  /** Fields with a common beginning of their names, such as `coupon`, are shown together. */
  readonly group?: string
}

export type FilterField = { readonly name: string; readonly value: FilterValue }

export type FilterValue =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choices'; readonly options: readonly string[] }
  | { readonly kind: 'period' }
  | { readonly kind: 'references'; readonly collection: string }
  /** API users who may edit the instance. */
  | { readonly kind: 'people' }
  | { readonly kind: 'text' }

/** An attribute that refers to one object, and its name in `include`. */
export type Relation = { readonly name: string; readonly field: string; readonly collection: string }

/** A relation of tags to objects, and the objects that accept it. */
export type PredicateModel = {
  readonly name: string
  /** By collection: the variants, or all objects for null. */
  readonly accepted: Readonly<Record<string, readonly string[] | null>>
}

export type ResourceModel = {
  /** Singular. */
  readonly name: string
  readonly collection: string
  /** Its path below the instance. */
  readonly segments: string
  /** The field whose value is the variant. */
  readonly variant?: string
  readonly fields: readonly Field[]
  /** What is about an object and no part of its text or its draft, such as its review. The form does not have it. */
  readonly about: readonly Field[]
  /** What belongs to an object and is edited at separate addresses, such as the media of its slots. */
  readonly parts: readonly string[]
  /** The names that `fields` and `order` accept. */
  readonly columns: readonly string[]
  readonly orders: readonly string[]
  readonly filters: readonly FilterField[]
  /** How its objects become public: without a state, at once, with what they belong to, or at a time. */
  readonly publication: 'none' | 'immediate' | 'dependent' | 'scheduled'
  readonly relations: readonly Relation[]
  /** The field that refers to the parent in a tree. */
  readonly parent?: string
}

/** An item of a list that is stored as a whole; `type` is its variant. */
export type ItemModel = { readonly fields: readonly Field[]; readonly needs: readonly Need[] }

/** The media of slots that a deployment accepts. */
export type MediaModel = ItemModel & { readonly hosts: readonly StreamingHost[] }

/** What the service imports. */
export type ImportsModel = {
  /** What an import is begun with, without the options. */
  readonly fields: readonly Field[]
  /** The options of each kind. */
  readonly options: Readonly<Record<string, readonly Field[]>>
  readonly outcomes: readonly ImportOutcome[]
}

export type Model = {
  /** From least to most permissions. */
  readonly roles: readonly Role[]
  /** The least role that publishes, and that writes what is published or was created by another user. */
  readonly unrestricted: Role
  readonly permissions: Readonly<Record<string, Readonly<Partial<Record<Action, Role>>>>>
  readonly resources: readonly ResourceModel[]
  readonly settings: readonly Field[]
  /** The attributes of a user that forms have, also that of the own account; rights are changed one at a time. */
  readonly user: readonly Field[]
  readonly minPasswordCharacters: number
  readonly maxPictureCharacters: number
  /** The events that a web hook can name. */
  readonly webhookEvents: readonly string[]
  readonly imports: ImportsModel
  /** The states of an import or an export that waits or runs. */
  readonly openJobStates: readonly JobState[]
  readonly predicates: readonly PredicateModel[]
  /** The settings of a media slot. */
  readonly slot: readonly Field[]
  /** What a list of stories has, without its items. */
  readonly storyList: readonly Field[]
  /** What a story of a homepage has. */
  readonly story: ItemModel
  /** The elements that markup may contain. */
  readonly elements: readonly ElementModel[]
  /** The most rows of a page. */
  readonly maxRpp: number
}
