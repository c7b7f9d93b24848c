import type { Service } from './service.js'

/** What a person reads when the service has started. */
export const welcome = async ({ url, bootstrapped }: Service): Promise<string> =>
  `The publishing service listens on ${url}\n${bootstrapped.issued === null ? '' : JSON.stringify(bootstrapped.issued)}\n`
