/** The blobs of a bucket, page by page; objects that are no blobs of ours are passed over. */
import type { BlobEntry } from '@publishing-service/ports'
import type { Bucket } from './bucket.js'
import { keyOf } from './object-name.js'

/** S3 gives and takes no more at once. */
const pageSize = 1000

/** The blobs whose key begins with the prefix, at most a thousand at a time. */
export async function* blobPages(
  { client, name, ask }: Bucket,
  prefix: string,
): AsyncGenerator<readonly BlobEntry[]> {
  for (let token = ''; ;) {
    const from = token
    const page = await ask(() => client.listObjectsV2Query(name, prefix, from, '', pageSize, ''))
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
