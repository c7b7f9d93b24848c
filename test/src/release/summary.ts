/** What a release says of itself: the summary, the faults, and the commands that publish it. */
import { basename } from 'node:path'
import type { Artefacts } from './artefacts.js'
import type { Image } from './image.js'
import type { Plan } from './preconditions.js'

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`

const imageLine = (image: Image): string => {
  switch (image._tag) {
    case 'Built':
      return `${image.tag}, ${kilobytes(image.bytes)}, built by ${image.engine}`
    case 'NotBuilt':
      return `not built: ${image.reason}`
    case 'Faulty':
      return image.fault
  }
}

const section = (title: string, lines: readonly string[]): string =>
  [title, ...lines.map((line) => (line === '' ? '' : `  ${line}`))].join('\n')

export const summaryOf = ({ version, next, notes }: Plan, made: Artefacts): string =>
  [
    section(`Release ${version}`, [`then the development of ${next}`]),
    section('Notes', notes.split('\n')),
    section(
      `Packages: ${made.packages.length}`,
      made.packages.map(({ path, bytes }) => `${basename(path)}  ${kilobytes(bytes)}`),
    ),
    section(
      `Bill of materials: ${made.components} components, by licence`,
      Object.entries(made.licences).map(([licence, count]) => `${count}  ${licence}`),
    ),
    section('Image', [imageLine(made.image)]),
  ].join('\n\n')

export const faultList = (faults: readonly string[]): string =>
  section(
    `No release: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`,
    faults.map((each) => `- ${each}`),
  )

/** The name of the image in the registry of containers of GitHub, where the repository is. */
const publishedImage = (page: string, version: string): string =>
  `ghcr.io/${new URL(page).pathname.slice(1)}:${version}`.toLowerCase()

/** The commands that publish a release, which need credentials: packages that others depend on come first. */
export const publishCommands = (
  { packages, image }: Artefacts,
  order: readonly string[],
  page: string,
  version: string,
): readonly string[] => [
  ...packages
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .map(({ path }) => `npm publish '${path}' --access public --provenance`),
  ...(image._tag === 'Built'
    ? [
        `${image.engine} tag ${image.tag} ${publishedImage(page, version)}`,
        `${image.engine} push ${publishedImage(page, version)}`,
      ]
    : []),
  'git push --follow-tags',
]
