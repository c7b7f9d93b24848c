/** Bodies and buckets for the tests of this adapter. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Client } from 'minio'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { MinioBlobStoreOptions } from '../minio-blob-store.js'
import type { MinioServer } from './servers.js'

export const mebibyte = 1024 * 1024

export async function* bytesOf(length: number, chunk = 64 * 1024): AsyncGenerator<Uint8Array> {
  const bytes = new Uint8Array(chunk).fill(7)
  for (let at = 0; at < length; at += chunk) yield bytes.subarray(0, Math.min(chunk, length - at))
}

export const lengthOf = async (body: AsyncIterable<Uint8Array>): Promise<number> => {
  let length = 0
  for await (const chunk of body) length += chunk.length
  return length
}

/** Options for a new bucket, on the server or through a proxy. */
export const optionsFor = (server: MinioServer, address?: string): MinioBlobStoreOptions => ({
  url: server.url(address),
  accessKey: server.accessKey,
  secretKey: server.secretKey,
  bucket: `test-${randomUUID()}`,
})

/** A client without the adapter. */
export const clientFor = ({ url, accessKey, secretKey }: MinioBlobStoreOptions): Client => {
  const { hostname, port } = new URL(url)
  return new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey })
}

/** The object names of incomplete uploads in the bucket. */
export const openUploads = async (options: MinioBlobStoreOptions): Promise<readonly string[]> => {
  const names: string[] = []
  for await (const upload of clientFor(options).listIncompleteUploads(options.bucket, '', true))
    names.push((upload as { readonly key: string }).key)
  return names
}

export const right = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) return expect.fail(`expected success, got ${JSON.stringify(outcome.left)}`)
  return outcome.right
}

export const failed = async <A>(task: TaskEither<{ readonly _tag: string }, A>): Promise<string> => {
  const outcome = await task()
  if (E.isRight(outcome)) return expect.fail('expected a failure')
  return outcome.left._tag
}
