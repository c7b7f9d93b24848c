/**
 * Uses a store while `ulimit` restricts this process. Prints JSON with the failures, in order, and the keys that exist at
 * the end.
 */
import { closeSync, openSync } from 'node:fs'
import type { TaskEither } from '@publishing-service/domain/fp'
import { filesystemBlobStore } from '../filesystem-blob-store.js'

const [directory = '', limit = ''] = process.argv.slice(2)
const store = await filesystemBlobStore({ directory })
const reasons: (string | null)[] = []

const record = async (task: TaskEither<{ readonly _tag: string; readonly reason?: string }, unknown>) => {
  const outcome = await task()
  reasons.push(outcome._tag === 'Left' ? `${outcome.left._tag} ${outcome.left.reason ?? ''}` : null)
}

async function* body(bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += 64 * 1024) yield new Uint8Array(Math.min(64 * 1024, bytes - at))
}

const openAllDescriptors = (): readonly number[] => {
  const opened: number[] = []
  for (;;) {
    try {
      opened.push(openSync('/dev/null', 'r'))
    } catch {
      return opened
    }
  }
}

if (limit === 'descriptors') {
  await record(store.write('stored/small', body(100_000), 10_000_000))
  const descriptors = openAllDescriptors()
  await record(store.write('stored/large', body(5_000_000), 10_000_000))
  await record(store.read('stored/small'))
  await record(store.check())
  await record(async () => {
    try {
      for await (const entry of store.list('')) throw new Error(`listed ${entry.key} without a descriptor`)
      throw new Error('an empty listing without a descriptor')
    } catch (failure) {
      if (failure instanceof Error) throw failure
      return { _tag: 'Left', left: failure as { readonly _tag: string } }
    }
  })
  for (const descriptor of descriptors) closeSync(descriptor)
  await record(store.write('stored/large', body(5_000_000), 10_000_000))
} else {
  await record(store.write('stored/small', body(100_000), 10_000_000))
  await record(store.write('stored/large', body(5_000_000), 10_000_000))
  await record(store.write('stored/small', body(200_000), 10_000_000))
}

const keys: string[] = []
for await (const entry of store.list('')) keys.push(`${entry.key} ${entry.bytes}`)
process.stdout.write(JSON.stringify({ reasons, keys: keys.toSorted() }))
await store.close()
