/** Lists the blobs of a bucket page by page. Objects that are not blobs are skipped. */
import type { BlobEntry } from '@publishing-service/ports'
import type { Bucket } from './bucket.js'
import { keyOf } from './object-name.js'

/** The limit of S3, for listing and for deletion. */
const pageSize = 1000

/** Pages of the blobs whose keys begin with the prefix. */
export async function* blobPages(
  { client, name, send }: Bucket,
  prefix: string,
): AsyncGenerator<readonly BlobEntry[]> {
  for (let token = ''; ;) {
    const from = token
    const page = await send(() => client.listObjectsV2Query(name, prefix, from, '', pageSize, ''))
    yield page.objects.flatMap((object) => {
      const key = object.name === undefined ? null : keyOf(object.name)
      return key === null || object.lastModified === undefined
        ? []
        : [{ key, bytes: object.size, written: object.lastModified.getTime() }]
    })
    if (!page.isTruncated) return
    token = page.nextContinuationToken
  }
}
