/** Redirects as files of hosts (docs/behaviour/paths.md#redirects-as-a-file). */
import type { ListedRedirect, RedirectFormat } from '@publishing-service/domain/paths'
import { netlifyFile } from './netlify.js'
import { nginxFile } from './nginx.js'

const files: Readonly<Record<RedirectFormat, (redirects: readonly ListedRedirect[]) => string>> = {
  netlify: netlifyFile,
  nginx: nginxFile,
}

/** The file of a host with these redirects. */
export const redirectFile = (format: RedirectFormat, redirects: readonly ListedRedirect[]): string =>
  files[format](redirects)
