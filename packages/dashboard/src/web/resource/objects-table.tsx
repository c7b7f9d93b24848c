import { Group } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Relation, ResourceModel } from '@publishing-service/dashboard'
import { DateTime } from '../layout/date-time.js'
import { RowsTable } from '../layout/rows-table.js'
import { SmallPicture } from '../library/thumbnail.js'
import { PublicationBadge } from '../publication/publication-status.js'
import { SiteIcon, useSiteAddress } from '../publication/site-link.js'
import { Highlight } from '../search/highlight.js'
import type { Rows } from '../service/api.js'
import { useInstance } from '../service/place.js'
import { titleFieldsOf, titleIn } from '../service/titles.js'
import { CommentText, commentTextFields, type RowTextProps } from '../structure/comment-text.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'

const maxIndents = 6

/** The reference that is shown in a column: the first one that is no file. */
const relationOf = ({ relations, columns }: ResourceModel): Relation | undefined =>
  relations.find(({ field, collection }) => collection !== 'files' && columns.includes(field))

/** The reference to the picture of a row. */
const pictureOf = ({ relations, columns }: ResourceModel): Relation | undefined =>
  relations.find(({ field, collection }) => collection === 'files' && columns.includes(field))

const titleNames = new Set(['title', 'sort_title', 'uuid', 'pattern', 'filename', 'urlname', 'distance'])

/** Columns in addition to the title: the variant, the state, and what the list can be ordered by. */
const columnsOf = (resource: ResourceModel): readonly string[] => {
  const { variant, orders, columns } = resource
  const isChanged = orders.includes('modified')
  const ordered = orders.filter((each) => !titleNames.has(each) && !(isChanged && each === 'created'))
  const wanted = [...(variant === undefined ? [] : [variant]), 'state', ...ordered]
  return [...new Set(wanted)].filter((name) => columns.includes(name)).slice(0, 4)
}

const isDateTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT/.test(value)

type CellProps = { readonly name: string; readonly row: JsonObject }

const Cell = ({ name, row }: CellProps) => {
  const texts = useTexts()
  const value = row[name] ?? null
  if (value === null) return null
  if (name === 'state' && (value === 'draft' || value === 'published')) return <PublicationBadge row={row} />
  if (typeof value === 'boolean') return value ? texts.form.yes : texts.form.no
  if (typeof value !== 'string') return JSON.stringify(value)
  return isDateTime(value) ? <DateTime value={value} /> : wordOf(texts, value)
}

type RowText = { readonly fields: readonly string[]; readonly Text: ComponentType<RowTextProps> }

/** Objects that are named by more than their title. */
const rowTexts: Readonly<Record<string, RowText>> = {
  comments: { fields: commentTextFields, Text: CommentText },
}

/** What the table of a resource reads of its rows. */
export const tableQuery = (resource: ResourceModel, further: readonly string[] = []) => {
  const relations = [relationOf(resource), pictureOf(resource)].filter((each) => each !== undefined)
  const shown = ['state', 'issued', 'path'].filter((name) => resource.columns.includes(name))
  const fields = [
    'uuid',
    ...titleFieldsOf(resource.collection),
    ...columnsOf(resource),
    ...relations.map(({ field }) => field),
    ...shown,
    ...(rowTexts[resource.collection]?.fields ?? []),
    ...further,
  ]
  return { fields: [...new Set(fields)], include: relations.map(({ name }) => name) }
}

const includedIn = (included: Rows['included'], row: JsonObject, relation: Relation | undefined) => {
  const id = relation === undefined ? null : row[relation.field]
  return typeof id === 'string' ? (included[id] ?? null) : null
}

export type RowActionsProps = { readonly row: JsonObject }

type TableProps = {
  /** Shown at the end of each row. */
  readonly actions?: ComponentType<RowActionsProps>
  readonly resource: ResourceModel
  readonly found: Rows
  /** By UUID; 0 for rows that have none. */
  readonly depths?: ReadonlyMap<string, number>
}

/** The objects of a resource in rows. */
export const ObjectsTable = ({
  resource,
  found: { rows, included },
  depths,
  actions: Actions,
}: TableProps) => {
  const texts = useTexts()
  const { iid } = useInstance()
  const columns = columnsOf(resource)
  const relation = relationOf(resource)
  const picture = pictureOf(resource)
  const OwnText = rowTexts[resource.collection]?.Text
  const addressOf = useSiteAddress()
  const titleCell = (row: JsonObject) => {
    const uuid = String(row['uuid'])
    const title = titleIn(row) ?? texts.list.untitled
    const address = addressOf(row)
    const link = (label: string): ReactNode => (
      <Link href={`/${iid}/${resource.collection}/${uuid}`} className="row-link">
        {label}
      </Link>
    )
    return (
      <Group
        key="title"
        gap="sm"
        wrap="nowrap"
        miw={220}
        pl={`${Math.min(depths?.get(uuid) ?? 0, maxIndents) * 1.25}rem`}
      >
        {picture !== undefined && <SmallPicture of={[includedIn(included, row, picture)]} />}
        <div>
          {OwnText === undefined ? link(title) : <OwnText row={row} link={link} />}
          {address !== null && <SiteIcon address={address} title={title} />}
          <Highlight row={row} />
        </div>
      </Group>
    )
  }
  return (
    <RowsTable
      rows={rows}
      keyOf={({ uuid }) => String(uuid)}
      head={[
        ...['title', ...(relation === undefined ? [] : [relation.field]), ...columns].map((name) =>
          labelOf(texts, name),
        ),
        ...(Actions === undefined ? [] : ['']),
      ]}
      minWidth={columns.length > 1 ? 640 : 320}
    >
      {(row) => [
        titleCell(row),
        ...(relation === undefined ? [] : [titleIn(includedIn(included, row, relation) ?? {})]),
        ...columns.map((name) => <Cell key={name} name={name} row={row} />),
        ...(Actions === undefined ? [] : [<Actions key="actions" row={row} />]),
      ]}
    </RowsTable>
  )
}
