import { TE, type Problem, type Settings } from '@publishing-service/domain'
import type { Outcome } from '../failure.js'
import type { Session } from '../session.js'

const withoutWebsite: Problem = {
  _tag: 'NotFound',
  hint: 'Feeds and the sitemap contain addresses of the website: an admin has to set website_url in the settings of the instance.',
}

/** The settings of an instance whose website is known; else NotFound (docs/behaviour/feeds.md#website). */
export const websiteSettings = ({
  instance: { settings },
}: Session): Outcome<Settings & { readonly website_url: string }> => {
  const { website_url } = settings
  return website_url === null ? TE.left(withoutWebsite) : TE.right({ ...settings, website_url })
}
