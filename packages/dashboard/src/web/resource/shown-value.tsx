import { lazy, Suspense } from 'react'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Value } from '@publishing-service/dashboard'
import { useTitle } from '../fields/reference-input.js'
import { DateTime } from '../layout/date-time.js'
import { isJsonObject } from '../../json.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'
import classes from './shown-value.module.css'

/** Loaded when it is first needed, with the editor. */
const MarkupPreview = lazy(async () => ({
  default: (await import('../markup/markup-preview.js')).MarkupPreview,
}))

const Target = ({ collection, uuid }: { readonly collection: string; readonly uuid: string }) =>
  useTitle(collection, uuid) ?? uuid

const ShownObject = ({ type, value }: { readonly type: Value | undefined; readonly value: JsonObject }) => {
  const texts = useTexts()
  const fields = type !== undefined && 'fields' in type ? type.fields : []
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.value
  return (
    <dl className={classes['parts']}>
      {Object.entries(value).map(([name, part]) => (
        <div key={name}>
          <dt>{type?.kind === 'pairs' ? name : labelOf(texts, name)}</dt>
          <dd>
            <ShownValue type={typeOf(name)} value={part} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const ShownList = ({
  item,
  values,
}: {
  readonly item: Value | undefined
  readonly values: readonly Json[]
}) => (
  <ul className={classes['items']}>
    {values.map((each, index) => (
      // Items have no identity other than their position.
      // oxlint-disable-next-line react/no-array-index-key
      <li key={index}>
        <ShownValue type={item} value={each} />
      </li>
    ))}
  </ul>
)

type ShownProps = { readonly type: Value | undefined; readonly value: Json | undefined }

/** A value to read, without controls. */
export const ShownValue = ({ type, value }: ShownProps) => {
  const texts = useTexts()
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '–'
  if (typeof value === 'boolean') return value ? texts.form.yes : texts.form.no
  if (type?.kind === 'coordinates' && Array.isArray(value)) return value.join(', ')
  if (Array.isArray(value))
    return <ShownList item={type?.kind === 'list' ? type.item : undefined} values={value} />
  if (isJsonObject(value)) return <ShownObject type={type} value={value} />
  if (typeof value !== 'string') return String(value)
  switch (type?.kind) {
    case 'markup':
      return (
        <Suspense fallback={value}>
          <MarkupPreview markup={value} hasLinks={false} />
        </Suspense>
      )
    case 'reference':
      return <Target collection={type.collection} uuid={value} />
    case 'date-time':
      return <DateTime value={value} />
    case 'choice':
      return wordOf(texts, value)
    default:
      return value
  }
}
