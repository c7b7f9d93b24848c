import type { Problem } from '@publishing-service/domain'
import type { Website } from '@publishing-service/domain/feeds'
import { fail } from '../attempt.js'
import type { Session } from '../session.js'

const withoutWebsite: Problem = {
  _tag: 'NotFound',
  hint: 'Feeds and sitemaps contain addresses of the website: an admin has to set website_url in the settings of the instance.',
}

/** The settings of an instance whose website is known; throws NotFound otherwise (docs/behaviour/feeds.md#website). */
export const websiteSettings = ({ instance: { settings } }: Session): Website => {
  const { website_url } = settings
  if (website_url === null) fail(withoutWebsite)
  return { ...settings, website_url }
}
