/**
 * A process that only transfers large bodies. In the process of the driver, garbage collection of the objects that created
 * the publication would use the other core.
 */
import { clientOf, get, post, type Address, type Bucket } from './transfers.js'

/** Over HTTP where it has an address, with MinIO's client otherwise. */
export type Transfer = {
  readonly direction: 'upload' | 'download'
  /** In bytes. */
  readonly size: number
  readonly address: Address | null
}

/** Seconds that it took, or what went wrong. */
export type Transferred = { readonly seconds: number } | { readonly fault: string }

const [, , bucket = ''] = process.argv
const client = clientOf(JSON.parse(bucket) as Bucket)

const run = ({ direction, size, address }: Transfer): Promise<void> => {
  if (address === null) return client[direction](size)
  return (direction === 'upload' ? post : get)(address, size)
}

const timed = async (transfer: Transfer): Promise<Transferred> => {
  const started = performance.now()
  try {
    await run(transfer)
    return { seconds: (performance.now() - started) / 1000 }
  } catch (error) {
    return { fault: String(error) }
  }
}

process.on('message', (transfer: Transfer) => {
  void timed(transfer).then((transferred) => process.send?.(transferred))
})
process.once('disconnect', () => process.exit(0))
