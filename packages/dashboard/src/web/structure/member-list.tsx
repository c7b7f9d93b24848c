import { Fieldset, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain'
import { Thumbnail } from '../library/thumbnail.js'
import { fileRow } from '../library/use-files.js'
import type { Versioned } from '../service/api.js'
import { resourceNamed, useInstance } from '../service/instance-context.js'
import { titleIn } from '../service/titles.js'
import { OrderedList } from '../sorting/ordered-list.js'
import { SavedList } from './saved-list.js'
import classes from './structure.module.css'

type ListProps = {
  readonly title: string
  /** Shown if there are no members. */
  readonly none: string
  readonly saveText: string
  /** The path of the list below the instance. */
  readonly path: string
  /** The name of the UUID in an item that is sent. */
  readonly item: 'uuid' | 'tag_uuid'
  /** The collection of the members. */
  readonly collection: string
  readonly isAllowed: boolean
  /** Reads all members, as `items`, and the entity tag of the list. */
  readonly read: () => Promise<Versioned>
  /** The control that adds members. */
  readonly chooser: (add: (uuids: readonly string[]) => void, members: readonly string[]) => ReactNode
}

const uuidOf = ({ uuid }: JsonObject): string => String(uuid)

const Picture = ({ file }: { readonly file: JsonObject }) => {
  const { download_url: download, mimetype } = fileRow(file)
  return (
    <div className={classes['picture']}>
      <Thumbnail download={download} mimetype={mimetype} alt="" width={120} />
    </div>
  )
}

/** An ordered list of objects that another object has, such as the tags of a category. */
export const MemberList = ({ title, none, item, collection, chooser, ...list }: ListProps) => {
  const { iid } = useInstance()
  const { isAllowed } = list
  const segments = resourceNamed(collection)?.segments ?? collection
  return (
    <Fieldset legend={title}>
      <Stack gap="sm">
        <SavedList
          {...list}
          toSend={(_list, members) => ({ items: members.map((member) => ({ [item]: uuidOf(member) })) })}
        >
          {({ items, setItems, add, added }) => {
            const shown = (member: JsonObject): JsonObject => added[uuidOf(member)] ?? member
            const titleOf = (member: JsonObject): string => titleIn(shown(member)) ?? uuidOf(member)
            const members = items.map(uuidOf)
            const addMembers = (uuids: readonly string[]) => {
              const further = uuids.filter((uuid) => !members.includes(uuid))
              add(
                further.map((uuid) => ({ uuid })),
                further.map((uuid) => `${segments}/${uuid}`),
              )
            }
            return (
              <>
                <OrderedList
                  items={items}
                  onChange={setItems}
                  labelOf={titleOf}
                  keyOf={uuidOf}
                  none={none}
                  isAllowed={isAllowed}
                >
                  {(member) => (
                    <>
                      {collection === 'files' && <Picture file={shown(member)} />}
                      <Link href={`/${iid}/${collection}/${uuidOf(member)}`} className="row-link">
                        {titleOf(member)}
                      </Link>
                    </>
                  )}
                </OrderedList>
                {isAllowed && chooser(addMembers, members)}
              </>
            )
          }}
        </SavedList>
      </Stack>
    </Fieldset>
  )
}
