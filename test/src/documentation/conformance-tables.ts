/** The generated parts of the conformance package's README: what each suite asks, and how each adapter does. */
import { contracts, type ContractName } from '@publishing-service/conformance'
import { countOf, declaredSuites, deviationsOf, titlesOf, type DeclaredSuite } from './conformance-outline.js'
import { markdownTable } from './markdown-table.js'

const names = Object.keys(contracts) as ContractName[]

/** Titles that are sentences are the port's own. */
export const sentencesOf = (suites: readonly DeclaredSuite[]): readonly string[] => [
  ...new Set(
    suites.flatMap(({ outline }) =>
      titlesOf(outline).filter((title) => /^[A-Z].*\.$/.test(title) && !title.startsWith('deviates: ')),
    ),
  ),
]

const bullets = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `- ${sentence}`).join('\n')

/** For each port the sentences of its suite, and what an adapter may be unable to keep. */
export const contractSentences = async (): Promise<string> => {
  const declared = await declaredSuites()
  return names
    .map((name) => {
      const { port, mayDeviate } = contracts[name]
      const deviations = Object.entries<string>(mayDeviate)
      const sentences = bullets(sentencesOf(declared.filter(({ contract }) => contract === name)))
      const may = deviations.map(([deviation, words]) => `\`${deviation}\`: ${words}`)
      return [
        `### The port ${port}: \`${name}Conformance\``,
        sentences,
        ...(may.length === 0 ? [] : ['An adapter may deviate, with a reason:', bullets(may)]),
      ].join('\n\n')
    })
    .join('\n\n')
}

const adapterOf = ({ folder, name }: DeclaredSuite): string => `\`${folder.split('/').at(-1)}\` (${name})`

/** How many tests each adapter of the repository is held to, and what it deviates in. */
export const adapterTable = async (): Promise<string> => {
  const declared = await declaredSuites()
  const rows = declared.map((suite) => {
    const deviations = deviationsOf(suite.outline).length
    return [
      contracts[suite.contract].port,
      adapterOf(suite),
      `${countOf(suite.outline) - deviations}`,
      deviations === 0 ? '–' : `${deviations}`,
    ]
  })
  const reasons = declared.flatMap((suite) =>
    deviationsOf(suite.outline).map((deviation) => `${adapterOf(suite)}: ${deviation}`),
  )
  return [
    markdownTable(['Port', 'Adapter', 'Tests', 'Deviations'], rows),
    'The deviations:',
    bullets(reasons),
  ].join('\n\n')
}
