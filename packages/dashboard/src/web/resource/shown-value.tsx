import { lazy, Suspense } from 'react'
import type { Json } from '@publishing-service/domain'
import type { Value } from '@publishing-service/dashboard'
import { useTitle } from '../fields/reference-input.js'
import { DateTime } from '../layout/date-time.js'
import { useTexts, wordOf } from '../texts/texts.js'

/** Loaded when it is first needed, with the editor. */
const MarkupPreview = lazy(async () => ({
  default: (await import('../markup/markup-preview.js')).MarkupPreview,
}))

const Target = ({ collection, uuid }: { readonly collection: string; readonly uuid: string }) =>
  useTitle(collection, uuid) ?? uuid

type ShownProps = { readonly type: Value | undefined; readonly value: Json | undefined }

/** A value to read, without controls. */
export const ShownValue = ({ type, value }: ShownProps) => {
  const texts = useTexts()
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? texts.form.yes : texts.form.no
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
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
