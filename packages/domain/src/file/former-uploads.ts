import type { Box } from './scaled-size.js'
import { stored } from '../resource/attribute.js'
import { listOf, record } from '../value/record.js'
import { integer } from '../value/scalar.js'

const natural = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

const formerUpload = record({
  upload: stored(natural, 'Number of the upload.', { required: true }),
  replaced: stored(natural, 'When its data was replaced, in milliseconds since 1970.', { required: true }),
})

/** The most former uploads of a file whose addresses are known. */
export const mostFormerUploads = 20

/** Milliseconds for which the address of replaced data leads to the data that replaced it. */
export const redirectedFor = 86_400_000

export const formerUploads = stored(
  listOf(formerUpload, mostFormerUploads),
  'Uploads whose data was replaced in the last day, the newest first.',
  { internal: true, initial: [] },
)

type Uploads = {
  readonly former_uploads: readonly { readonly upload: number; readonly replaced: number }[] | null
}

/** Whether an upload was replaced less than a day before a moment (docs/behaviour/files.md#download-address). */
export const isFormerUpload = ({ former_uploads: former }: Uploads, upload: number, at: number): boolean =>
  (former ?? []).some((each) => each.upload === upload && at - each.replaced < redirectedFor)

/** Data that was replaced lately: the upload that replaced it, and the requested box. */
export type Replaced = { readonly _tag: 'Replaced'; readonly upload: number; readonly box: Box | null }
