/**
 * The generated parts of the conformance package’s README: the rules of each suite, and the results of each
 * adapter.
 */
import { contracts, type ContractName } from '@publishing-service/conformance'
import { countOf, declaredSuites, deviationsOf, titlesOf, type DeclaredSuite } from './conformance-outline.js'
import { markdownTable } from './markdown-table.js'

const names = Object.keys(contracts) as ContractName[]

/** Titles that are full sentences are the rules of the port. */
export const sentencesOf = (suites: readonly DeclaredSuite[]): readonly string[] => [
  ...new Set(
    suites.flatMap(({ outline }) =>
      titlesOf(outline).filter((title) => /^[A-Z].*\.$/.test(title) && !title.startsWith('deviates: ')),
    ),
  ),
]

const bullets = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `- ${sentence}`).join('\n')

/** The rules of each port, and the possible deviations. */
export const contractSentences = async (): Promise<string> => {
  const declared = await declaredSuites()
  return names
    .map((name) => {
      const { port, mayDeviate } = contracts[name]
      const deviations = Object.entries<string>(mayDeviate)
      const sentences = bullets(sentencesOf(declared.filter(({ contract }) => contract === name)))
      const may = deviations.map(([deviation, text]) => `\`${deviation}\`: ${text}`)
      return [
        `### The port ${port}: \`${name}Conformance\``,
        sentences,
        ...(may.length === 0 ? [] : ['An adapter may deviate, with a reason:', bullets(may)]),
      ].join('\n\n')
    })
    .join('\n\n')
}

const adapterOf = ({ folder, name }: DeclaredSuite): string => `\`${folder.split('/').at(-1)}\` (${name})`

/** The number of tests for each adapter of the repository, and its deviations. */
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
