/** Writes numbered bodies until it is killed, four at a time, and prints the acknowledged ones. */
import { writeSync } from 'node:fs'
import { filesystemBlobStore } from '../filesystem-blob-store.js'
import { numberedBody } from './numbered-body.js'

const [directory = '', first = '0'] = process.argv.slice(2)
const store = await filesystemBlobStore({ directory })

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 20_000) yield bytes.subarray(at, at + 20_000)
}

const writeFrom = async (write: number): Promise<never> => {
  for (let next = write; ; next += 4) {
    // Each key has one writer, so its writes are in the order of their numbers.
    const key = `stored/${next % 4}/${Math.floor(next / 4) % 3}`
    const outcome = await store.write(key, inChunks(numberedBody(next)), 10_000_000)()
    if (outcome._tag === 'Left') throw new Error(JSON.stringify(outcome.left))
    writeSync(1, `${key} ${next}\n`)
  }
}

await Promise.all([0, 1, 2, 3].map((writer) => writeFrom(Number(first) + writer)))
