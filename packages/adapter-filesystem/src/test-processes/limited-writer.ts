/**
 * Uses a store under a limit that its starter has set on this process, and says on its output what came of it:
 * one JSON text with the failures, in order, and the keys that are there at the end.
 */
import { closeSync, openSync } from 'node:fs'
import type { TaskEither } from '@publishing-service/domain'
import { filesystemBlobStore } from '../filesystem-blob-store.js'

const [directory = '', limit = ''] = process.argv.slice(2)
const store = await filesystemBlobStore({ directory })
const reasons: (string | null)[] = []

const note = async (task: TaskEither<{ readonly _tag: string; readonly reason?: string }, unknown>) => {
  const outcome = await task()
  reasons.push(outcome._tag === 'Left' ? `${outcome.left._tag} ${outcome.left.reason ?? ''}` : null)
}

async function* body(bytes: number): AsyncGenerator<Uint8Array> {
  for (let given = 0; given < bytes; given += 64 * 1024)
    yield new Uint8Array(Math.min(64 * 1024, bytes - given))
}

const takeAllDescriptors = (): readonly number[] => {
  const taken: number[] = []
  for (;;) {
    try {
      taken.push(openSync('/dev/null', 'r'))
    } catch {
      return taken
    }
  }
}

if (limit === 'descriptors') {
  await note(store.write('kept/small', body(100_000), 10_000_000))
  const taken = takeAllDescriptors()
  await note(store.write('kept/large', body(5_000_000), 10_000_000))
  await note(store.read('kept/small'))
  await note(store.check())
  await note(async () => {
    try {
      for await (const entry of store.list('')) throw new Error(`listed ${entry.key} without a descriptor`)
      throw new Error('an empty listing without a descriptor')
    } catch (failure) {
      if (failure instanceof Error) throw failure
      return { _tag: 'Left', left: failure as { readonly _tag: string } }
    }
  })
  for (const descriptor of taken) closeSync(descriptor)
  await note(store.write('kept/large', body(5_000_000), 10_000_000))
} else {
  await note(store.write('kept/small', body(100_000), 10_000_000))
  await note(store.write('kept/large', body(5_000_000), 10_000_000))
  await note(store.write('kept/small', body(200_000), 10_000_000))
}

const keys: string[] = []
for await (const entry of store.list('')) keys.push(`${entry.key} ${entry.bytes}`)
process.stdout.write(JSON.stringify({ reasons, keys: keys.toSorted() }))
await store.close()
