/** What must hold before a release is made. All faults are found at once. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiVersion } from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { documents, root } from '../documentation/documents.js'
import { brokenLinksOf, repositoryPaths } from '../documentation/references.js'
import { breakingChanges } from '../openapi/breaking-changes.js'
import { readObject, textOf } from '../packages/json-members.js'
import { lastRelease, listingFaults, unreleasedNotes } from './changelog.js'
import { versionFaults, type Manifest } from './manifests.js'
import { committedPaths, git, uncommittedChanges } from './repository.js'
import { isLater, nextMinor, releaseOf } from './version.js'

/** What a release is made of. */
export type Checkout = {
  /** The version of the root, such as `0.2.0-dev`. */
  readonly development: string
  readonly changelog: string
  /** The manifests of all packages, of examples too. */
  readonly manifests: readonly Manifest[]
  /** The version that the compiled service reports. */
  readonly reported: string
  /** What differs from the last commit, a line each. */
  readonly changes: readonly string[]
  readonly tags: readonly string[]
  /** Changes of the API since the last release that break clients. */
  readonly breaking: readonly string[]
  /** Links of documents that lead nowhere. */
  readonly links: readonly string[]
}

/** The breaking changes since the release whose document is stored; none before the first release. */
const changesSince = async (release: string | null): Promise<readonly string[]> => {
  if (release === null) return []
  const stored = await readObject(join(root, 'docs/api', `openapi-${release}.json`))
  return breakingChanges(stored, openApiDocument())
}

export const readCheckout = async (): Promise<Checkout> => {
  // Those below test/clients are no packages of this repository.
  const paths = (await committedPaths()).filter((path) => /^(?!test\/)(.*\/)?package\.json$/.test(path))
  const manifests = await Promise.all(
    paths.map(async (path) => ({ path, content: await readObject(join(root, path)) })),
  )
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const all = documents()
  const present = repositoryPaths()
  return {
    development: textOf(await readObject(join(root, 'package.json')), 'version'),
    changelog,
    manifests,
    reported: apiVersion,
    changes: await uncommittedChanges('all'),
    tags: (await git('tag', '--list')).split('\n'),
    breaking: await changesSince(lastRelease(changelog)),
    links: all.flatMap((page) =>
      brokenLinksOf(page, { paths: present, pages: all }).map((link) => `${page.path}: ${link}`),
    ),
  }
}

export type Plan = {
  readonly development: string
  readonly version: string
  /** The release that is developed afterwards. */
  readonly next: string
  /** What is released, in Markdown. */
  readonly notes: string
}

export type Wishes = { readonly next: string | null; readonly uncommitted: boolean }

/** The plan of a release of a checkout, and its faults. Without a version that can be released, there is no plan. */
export const planRelease = (
  { development, changelog, manifests, reported, changes, tags, breaking, links }: Checkout,
  { next, uncommitted }: Wishes,
): { readonly plan: Plan | null; readonly faults: readonly string[] } => {
  const version = releaseOf(development)
  const notes = unreleasedNotes(changelog)
  const following = next ?? (version === null ? null : nextMinor(version))
  const faults = [
    ...(changes.length === 0 || uncommitted
      ? []
      : [`the working tree has changes; commit them: ${changes.join(', ')}`]),
    ...(version === null
      ? [`package.json has the version ${development}: it must be X.Y.Z-dev, with the release X.Y.Z`]
      : []),
    ...versionFaults(development, manifests),
    ...(reported === development
      ? []
      : [`packages/http-contract/src/api-version.ts has the version ${reported} instead of ${development}`]),
    ...(version !== null && tags.includes(`v${version}`) ? [`the tag v${version} exists`] : []),
    ...(notes === '' ? ['CHANGELOG.md has nothing below "## Unreleased"'] : []),
    ...listingFaults(notes, breaking),
    ...links.map((link) => `a link leads nowhere: ${link}`),
    ...(version !== null && following !== null && !isLater(following, version)
      ? [`--next is ${following}: it must be later than ${version}`]
      : []),
  ]
  const plan =
    version === null || following === null ? null : { development, version, next: following, notes }
  return { plan, faults }
}
