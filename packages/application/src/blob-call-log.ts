import type { BlobEntry, BlobStore } from '@publishing-service/ports'
import { loggedCall, millisecondsSince } from './logged-call.js'
import type { Ports } from './ports.js'

/** A blob store that logs its calls, at level debug. */
export const withCallLog = ({ blobs, clock, log }: Pick<Ports, 'blobs' | 'clock' | 'log'>): BlobStore => {
  const logged = loggedCall('blob call', log, clock)

  async function* listed(path: string): AsyncIterable<BlobEntry> {
    const began = clock.monotonic()
    let count = 0
    try {
      for await (const entry of blobs.list(path)) {
        count += 1
        yield entry
      }
    } finally {
      log.write('debug', 'blob call', { call: 'list', path, count, ms: millisecondsSince(clock, began) })
    }
  }

  return {
    ...blobs,
    write: (...call) => logged({ call: 'write', path: call[0] }, blobs.write(...call)),
    read: (...call) => logged({ call: 'read', path: call[0] }, blobs.read(...call)),
    size: (key) => logged({ call: 'size', path: key }, blobs.size(key)),
    remove: (path) => logged({ call: 'remove', path }, blobs.remove(path)),
    list: listed,
    check: () => logged({ call: 'check' }, blobs.check()),
  }
}
