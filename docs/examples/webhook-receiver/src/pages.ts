/** Pages of a website as files, which any web server can serve. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { WebhookEvent } from '@publishing-service/client'

export type PagesOptions = {
  /** The website that makes the pages, such as the example website. */
  readonly website: string
  /** The folder of the files. */
  readonly folder: string
}

/** The paths whose pages an event changes: that of the object, the one that it had, and the front page. */
export const pathsOf = ({ object: { path, previous_path: previous } }: WebhookEvent): readonly string[] => [
  ...new Set([path, previous, '/'].filter((each) => each !== null)),
]

/** Makes pages again that an event changes, or removes them where there is no page any more. */
export const createPages = ({ website, folder }: PagesOptions) => {
  const rebuildPage = async (path: string): Promise<void> => {
    // Without `..`, in the encoding of addresses.
    const { href, pathname } = new URL(path, website)
    const file = join(folder, pathname, 'index.html')
    const page = await fetch(href, { redirect: 'manual' })
    if (page.status >= 500) throw new Error(`${href} has the status ${page.status}`)
    if (page.status !== 200) return rm(file, { force: true })
    await mkdir(dirname(file), { recursive: true })
    // A visitor never gets a part of a page.
    await writeFile(`${file}.new`, await page.text())
    await rename(`${file}.new`, file)
  }

  return async (event: WebhookEvent): Promise<void> => {
    for (const path of pathsOf(event)) await rebuildPage(path)
  }
}
