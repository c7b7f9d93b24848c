import { TE, type Problem, type Settings } from '@publishing-service/domain'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'

const withoutWebsite: Problem = {
  _tag: 'NotFound',
  hint: 'Feeds and the sitemap contain addresses of the website: an admin has to set website_url in the settings of the instance.',
}

/** What the public sees, for any caller: feeds and sitemaps are the same for all roles. */
export const publicView = (session: Session): Session => ({ ...session, role: 'public_user' })

/** The settings of an instance whose website is known; else NotFound (docs/behaviour/feeds.md#website). */
export const websiteSettings = ({
  instance: { settings },
}: Session): Outcome<Settings & { readonly website_url: string }> => {
  const { website_url } = settings
  return website_url === null ? TE.left(withoutWebsite) : TE.right({ ...settings, website_url })
}
