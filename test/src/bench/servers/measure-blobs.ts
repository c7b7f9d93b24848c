/**
 * Large files through the service, through a relay and with the client of MinIO, alternately; and the memory that many
 * concurrent uploads need.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isJsonObject } from '@publishing-service/domain'
import { fileId } from '../article.js'
import { exchange, jsonOf } from '../exchange.js'
import { WrongResponse } from '../measure-load.js'
import type { BenchOptions } from '../options.js'
import { memoryOf } from '../process-use.js'
import { ended, environment, kept } from '../served.js'
import { spreadOf, type Spread } from '../spread.js'
import type { StoresSetup } from './stores.js'
import type { Transfer, Transferred } from './transfer-process.js'
import { post, type Address, type Bucket } from './transfers.js'

const directions = ['upload', 'download'] as const
const nameOf = (direction: Transfer['direction']): string => `servers-${direction}`
export const blobNames = directions.map(nameOf)
export const memoryName = 'servers-memory'

const ways = ['service', 'relay', 'client'] as const
type Way = (typeof ways)[number]

export type BlobResult = {
  readonly name: string
  readonly title: string
  /** Bytes a second. */
  readonly throughput: Readonly<Record<Way, Spread>>
  /** Of the client's, in the same round. */
  readonly ratio: Spread
  /** The same for a relay in Node without the service: the most that is possible. */
  readonly relayRatio: Spread
}

export type MemoryResult = {
  readonly uploads: number
  /** Bytes of each. */
  readonly size: number
  /** Bytes that the uploads added at most; null if the system does not report it. */
  readonly added: number | null
}

const mebibyte = 1024 * 1024
const fileNumber = 5000

const throughService = ({ service, publication }: StoresSetup) => {
  const headers = { Authorization: `Bearer ${publication.tokens.editor}` }
  const path = (number: number): string => `/${publication.instance}/files/${fileId(fileNumber + number)}`
  return {
    declare: async (number: number): Promise<void> => {
      const body = JSON.stringify({ title: 'Large', filename: 'large.mp4' })
      const json = { ...headers, 'Content-Type': 'application/json' }
      const response = await exchange(
        service.url,
        { method: 'PUT', path: path(number), headers: json, body },
        false,
      )
      if (response.status !== 200) throw new WrongResponse(`PUT of a file: ${response.body.toString()}`)
    },
    upload: (number: number): Address => ({
      url: `${service.url}${path(number)}`,
      headers: { ...headers, 'Content-Type': 'video/mp4' },
    }),
    /** Where the file is to be had now. */
    download: async (number: number): Promise<Address> => {
      const asking = { method: 'GET', path: path(number), headers, body: null }
      const read = jsonOf(await exchange(service.url, asking, false))
      const address = isJsonObject(read) ? String(read['download_url']) : ''
      return { url: `${service.url}${new URL(address).pathname}`, headers }
    },
  }
}

const startTransfers = ({ servers, bucket }: StoresSetup) => {
  const { accessKey, secretKey } = servers.minio
  const place: Bucket = { url: servers.minio.url(), accessKey, secretKey, bucket }
  const program = fileURLToPath(new URL('transfer-process.js', import.meta.url))
  const child = kept(fork(program, [JSON.stringify(place)], { env: environment() }))
  return {
    /** Seconds that it took. */
    transfer: async (asked: Transfer): Promise<number> => {
      child.send(asked)
      const [done] = (await once(child, 'message')) as [Transferred]
      if ('fault' in done) throw new WrongResponse(done.fault)
      return done.seconds
    },
    stop: async (): Promise<void> => {
      child.disconnect()
      await ended(child)
    },
  }
}

export const measureBlobs = async (
  { rounds }: BenchOptions,
  names: readonly string[],
  stores: StoresSetup,
  progress: (text: string) => void,
): Promise<readonly BlobResult[]> => {
  const size = (rounds > 1 ? 100 : 8) * mebibyte
  const service = throughService(stores)
  const relayed: Address = { url: `${stores.relay.url}/relayed`, headers: {} }
  const { transfer, stop } = startTransfers(stores)
  const measure = async (direction: Transfer['direction']): Promise<BlobResult> => {
    const own = direction === 'upload' ? service.upload(0) : await service.download(0)
    const addresses = { service: own, relay: relayed, client: null } as const
    const timed = (way: Way): Promise<number> => transfer({ direction, size, address: addresses[way] })
    const title = `${direction} of ${size / mebibyte} MiB`
    // The first of each is not counted.
    for (const way of ways) await timed(way)
    const times: Record<Way, number[]> = { service: [], relay: [], client: [] }
    for (let round = 0; round < rounds; round += 1) {
      progress(`${title}: round ${round + 1} of ${rounds}`)
      for (const way of ways) times[way].push(await timed(way))
    }
    const throughput = (way: Way): Spread => spreadOf(times[way].map((time) => size / time))
    const toClient = (way: Way): Spread =>
      spreadOf(times[way].map((time, round) => (times.client[round] ?? Number.NaN) / time))
    return {
      name: nameOf(direction),
      title,
      throughput: {
        service: throughput('service'),
        relay: throughput('relay'),
        client: throughput('client'),
      },
      ratio: toClient('service'),
      relayRatio: toClient('relay'),
    }
  }
  try {
    await service.declare(0)
    // What is downloaded has been uploaded, and each upload makes the address of the one before void.
    for (const address of [service.upload(0), relayed, null])
      await transfer({ direction: 'upload', size, address })
    const results: BlobResult[] = []
    for (const direction of directions)
      if (names.includes(nameOf(direction))) results.push(await measure(direction))
    return results
  } finally {
    await stop()
  }
}

/** The most that uploads at once add to what the service holds, behind one that has warmed it. */
export const measureMemory = async (
  { rounds }: BenchOptions,
  stores: StoresSetup,
  progress: (text: string) => void,
): Promise<MemoryResult> => {
  const [uploads, size] = rounds > 1 ? [16, 100_000_000] : [4, 8_000_000]
  const { service } = stores
  const { declare, upload: addressOf } = throughService(stores)
  const upload = (number: number): Promise<void> => post(addressOf(number), size)
  const numbers = Array.from({ length: uploads }, (_, index) => index + 1)
  for (const number of numbers) await declare(number)
  await upload(1)
  progress(`${uploads} uploads of ${size / 1e6} MB at once`)
  const before = await memoryOf(service.pid)
  let most = before?.resident ?? 0
  let isOver = false
  const watched = (async () => {
    while (!isOver) {
      most = Math.max(most, (await memoryOf(service.pid))?.resident ?? 0)
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    }
  })()
  await Promise.all(numbers.map(upload))
  isOver = true
  await watched
  return { uploads, size, added: before === null ? null : most - before.resident }
}
