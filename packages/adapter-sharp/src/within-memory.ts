import { tookTooMuch } from '@publishing-service/domain/images'
import type { NotScaled } from '@publishing-service/imaging-pool/serve-jobs'

const mebibyte = 2 ** 20
const millisecondsBetweenChecks = 20

/** The result of the work, or that this process needs more memory for it. */
export const withinMemory = async <A>(mebibytes: number, work: () => Promise<A>): Promise<A | NotScaled> => {
  const most = process.memoryUsage.rss() + mebibytes * mebibyte
  let watch: NodeJS.Timeout | undefined
  const exceeded = new Promise<NotScaled>((resolve) => {
    watch = setInterval(() => {
      if (process.memoryUsage.rss() > most) resolve({ _tag: 'OutOfMemory', reason: tookTooMuch(mebibytes) })
    }, millisecondsBetweenChecks)
  })
  return Promise.race([work(), exceeded]).finally(() => clearInterval(watch))
}
