import { fault, type Fault } from '../fault.js'
import type { Json, JsonObject } from '../json.js'
import { reference } from '../value/reference.js'
import { derived, stored } from './attribute.js'
import type { ItemShape } from './draft-attributes.js'
import type { Resource } from './resource.js'
import type { OtherForms } from './attribute-tables.js'
import type { Viewer } from './view-context.js'

/**
 * Objects that another object lists, in order, each once: stored as UUIDs in one internal attribute, written and read
 * as `{items: [{<item>}]}` at a separate path.
 */
export type MemberList = {
  readonly resource: Resource
  /** The attribute that stores the list. */
  readonly attribute: string
  /** The name of the UUID in an item. */
  readonly item: string
  readonly target: string
  readonly shape: ItemShape
  readonly max: number
  /** Whether it is read as rows of its target's collection; as items by default. */
  readonly rows?: true
  /** Whether the list exists for this viewer. */
  readonly exists: (viewer: Viewer) => boolean
}

type Declaration = Omit<MemberList, 'shape' | 'exists'> & {
  readonly media?: 'image'
  readonly otherForms?: OtherForms
  readonly plural: string
  /** The member in examples. */
  readonly example: string
  readonly exists?: MemberList['exists']
}

export const defineMemberList = ({
  media,
  plural,
  example,
  otherForms,
  exists = () => true,
  ...list
}: Declaration): MemberList => ({
  ...list,
  exists,
  shape: {
    plural,
    examples: { bodies: [{ [list.item]: example }] },
    ...(otherForms === undefined ? {} : { otherForms }),
    check: () => [],
    attributes: {
      [list.item]: stored(
        reference(list.target, media === undefined ? {} : { media }),
        'The listed object.',
        {
          required: true,
        },
      ),
      url: derived({ type: 'string', format: 'uri' }, 'API URL of the listed object.', (state, view) =>
        view.links.object(list.target, String(state[list.item])),
      ),
    },
  },
})

/** The members of an object, in order. */
export const membersOf = ({ attribute }: MemberList, state: JsonObject): readonly string[] => {
  const value = state[attribute]
  return Array.isArray(value) ? value.map(String) : []
}

/** A fault if a change would result in too many members. */
export const memberCountFaults = (
  { item, max, shape }: MemberList,
  members: readonly string[],
): readonly Fault[] =>
  members.length > max ? [fault(item, 'limit', `would be more than ${max} ${shape.plural}`)] : []

/** The object with these members, each once. */
export const withMembers = (
  { attribute }: MemberList,
  state: JsonObject,
  members: readonly Json[],
): JsonObject => ({ ...state, [attribute]: [...new Set(members)] })
