/** The public address: reached as readers do, through the proxy. */
import { ask, askFollowing, forwardedIn, isLive } from './ask-service.js'
import { fine, warning, type Finding } from './finding.js'
import { forgedHost, judgeAddress } from './judge-address.js'
import type { Surroundings } from './surroundings.js'

export const examineAddress = async ({ configuration }: Surroundings): Promise<readonly Finding[]> => {
  const { BASE_URL: base, TRUST_PROXY: isTrusted } = configuration
  if (base === null)
    return [
      isTrusted
        ? warning('links follow what each request says, behind a proxy', 'set BASE_URL to the public address')
        : fine('links use the address of each request (BASE_URL is not set)'),
    ]
  const { answer, redirects } = await askFollowing(`${base}/health/live`)
  const forwarded = forwardedIn(answer)
  const forging = {
    url: redirects.at(-1) ?? `${base}/health/live`,
    headers: { 'X-Forwarded-Host': forgedHost },
  }
  const forged = forwarded === null ? null : forwardedIn(await ask(forging))
  const { status, certificateEnds } = answer
  return judgeAddress(
    {
      base,
      redirects,
      status,
      isService: isLive(answer),
      forwarded,
      forged,
      certificateEnds,
      now: Date.now(),
    },
    isTrusted,
  )
}
