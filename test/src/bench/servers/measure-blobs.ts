/**
 * Large files through the service, through a bare relay and with MinIO's own client, in turn; and what many uploads at
 * once take of memory.
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'minio'
import { isJsonObject } from '@publishing-service/domain'
import { fileId } from '../article.js'
import { exchange, jsonOf } from '../exchange.js'
import { WrongAnswer } from '../measure-load.js'
import type { BenchOptions } from '../options.js'
import { memoryOf } from '../process-use.js'
import { spreadOf, type Spread } from '../spread.js'
import type { StoresStage } from './stores.js'

export const blobNames = ['servers-upload', 'servers-download'] as const
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
  /** The same of the bare relay: what is to be had where a server of Node's stands between. */
  readonly relayRatio: Spread
}

export type MemoryResult = {
  readonly uploads: number
  /** Bytes of each. */
  readonly size: number
  /** Bytes that the uploads added at most; null where the system doesn't tell. */
  readonly added: number | null
}

const mebibyte = 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, 'bytes of a large file ')

/** So many bytes, no more than a piece in memory. */
const bytesOf = (size: number): Readable =>
  Readable.from(
    (function* () {
      for (let sent = 0; sent < size; sent += chunk.length)
        yield chunk.subarray(0, Math.min(chunk.length, size - sent))
    })(),
    { objectMode: false },
  )

const nowhere = (): { readonly sink: Writable; readonly taken: () => number } => {
  let taken = 0
  const sink = new Writable({
    write: (bytes: Buffer, _encoding, done) => {
      taken += bytes.length
      done()
    },
  })
  return { sink, taken: () => taken }
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await run()
  return (performance.now() - started) / 1000
}

const fileNumber = 5000

type Headers = Readonly<Record<string, string>>

const post = async (url: string, headers: Headers, size: number): Promise<void> => {
  const running = request(url, { method: 'POST', agent: false, headers })
  const answered = once(running, 'response')
  await pipeline(bytesOf(size), running)
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new WrongAnswer(`POST of a file: ${response.statusCode}`)
}

const get = async (url: string, headers: Headers, size: number): Promise<void> => {
  const running = request(url, { agent: false, headers })
  running.end()
  const [response] = await once(running, 'response')
  const { sink, taken } = nowhere()
  await pipeline(response, sink)
  if (taken() !== size) throw new WrongAnswer(`a download had ${taken()} of ${size} bytes`)
}

const throughService = ({ service, publication }: StoresStage) => {
  const headers = { Authorization: `Bearer ${publication.tokens.editor}` }
  const path = (number: number): string => `/${publication.instance}/files/${fileId(fileNumber + number)}`
  return {
    declare: async (number: number): Promise<void> => {
      const body = JSON.stringify({ title: 'Large', filename: 'large.mp4' })
      const json = { ...headers, 'Content-Type': 'application/json' }
      const answer = await exchange(
        service.url,
        { method: 'PUT', path: path(number), headers: json, body },
        false,
      )
      if (answer.status !== 200) throw new WrongAnswer(`PUT of a file: ${answer.body.toString()}`)
    },
    upload: (number: number, size: number): Promise<void> =>
      post(`${service.url}${path(number)}`, { ...headers, 'Content-Type': 'video/mp4' }, size),
    /** Where the file is to be had now. */
    address: async (number: number): Promise<string> => {
      const asking = { method: 'GET', path: path(number), headers, body: null }
      const read = jsonOf(await exchange(service.url, asking, false))
      const address = isJsonObject(read) ? String(read['download_url']) : ''
      return `${service.url}${new URL(address).pathname}`
    },
    download: (address: string, size: number): Promise<void> => get(address, headers, size),
  }
}

const throughRelay = ({ relay }: StoresStage) => {
  const url = `${relay.url}/relayed`
  return {
    upload: (size: number): Promise<void> => post(url, {}, size),
    download: (size: number): Promise<void> => get(url, {}, size),
  }
}

const throughClient = ({ servers, bucket }: StoresStage) => {
  const { hostname, port } = new URL(servers.minio.url())
  const client = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: servers.minio.accessKey,
    secretKey: servers.minio.secretKey,
  })
  return {
    upload: async (size: number): Promise<void> => {
      // As to the service: its length isn't told.
      await client.putObject(bucket, 'bare', bytesOf(size))
    },
    download: async (size: number): Promise<void> => {
      const { sink, taken } = nowhere()
      await pipeline(await client.getObject(bucket, 'bare'), sink)
      if (taken() !== size) throw new WrongAnswer(`the client had ${taken()} of ${size} bytes`)
    },
  }
}

export const measureBlobs = async (
  { rounds }: BenchOptions,
  names: readonly string[],
  stores: StoresStage,
  progress: (text: string) => void,
): Promise<readonly BlobResult[]> => {
  const size = (rounds > 1 ? 100 : 8) * mebibyte
  const [service, relay, client] = [throughService(stores), throughRelay(stores), throughClient(stores)]
  const upload = {
    service: () => service.upload(0, size),
    relay: () => relay.upload(size),
    client: () => client.upload(size),
  }
  await service.declare(0)
  // What is downloaded has been uploaded, and each upload makes the address of the one before void.
  for (const way of ways) await upload[way]()
  const download = async () => {
    const address = await service.address(0)
    return {
      service: () => service.download(address, size),
      relay: () => relay.download(size),
      client: () => client.download(size),
    }
  }
  const results: BlobResult[] = []
  for (const name of blobNames.filter((each) => names.includes(each))) {
    const run = name === 'servers-upload' ? upload : await download()
    const title = `${run === upload ? 'upload' : 'download'} of ${size / mebibyte} MiB`
    // The first of each is not counted.
    for (const way of ways) await run[way]()
    const times: Record<Way, number[]> = { service: [], relay: [], client: [] }
    for (let round = 0; round < rounds; round += 1) {
      progress(`${title}: round ${round + 1} of ${rounds}`)
      for (const way of ways) times[way].push(await timed(run[way]))
    }
    const throughput = (way: Way): Spread => spreadOf(times[way].map((time) => size / time))
    const toClient = (way: Way): Spread =>
      spreadOf(times[way].map((time, round) => (times.client[round] ?? Number.NaN) / time))
    results.push({
      name,
      title,
      throughput: {
        service: throughput('service'),
        relay: throughput('relay'),
        client: throughput('client'),
      },
      ratio: toClient('service'),
      relayRatio: toClient('relay'),
    })
  }
  return results
}

/** The most that uploads at once add to what the service holds, behind one that has warmed it. */
export const measureMemory = async (
  { rounds }: BenchOptions,
  stores: StoresStage,
  progress: (text: string) => void,
): Promise<MemoryResult> => {
  const [uploads, size] = rounds > 1 ? [16, 100_000_000] : [4, 8_000_000]
  const { service } = stores
  const { declare, upload } = throughService(stores)
  const numbers = Array.from({ length: uploads }, (_, index) => index + 1)
  for (const number of numbers) await declare(number)
  await upload(1, size)
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
  await Promise.all(numbers.map((number) => upload(number, size)))
  isOver = true
  await watched
  return { uploads, size, added: before === null ? null : most - before.resident }
}
