/**
 * How much the suites test: random samples of many similar cases, which TEST_SEED repeats (`all` tests every case), and
 * KILLS processes that are killed one after the other. Only this file reads these variables.
 */
import fc from 'fast-check'

const allCases = process.env['TEST_SEED'] === 'all'
const seed = allCases ? 0 : Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000)

/** How often a test kills, if KILLS does not say it. */
export const killsOf = (usual: number): number => Number(process.env['KILLS'] ?? usual)

/** At most `size` of the items in their order: a new sample for each run. */
export const sampleFrom = <A>(items: readonly A[], size: number): readonly A[] => {
  if (allCases || items.length <= size) return items
  const [chosen = []] = fc.sample(fc.subarray([...items], { minLength: size, maxLength: size }), {
    numRuns: 1,
    seed,
  })
  return chosen
}

/** The suffix of the title of a sampled suite: how to run the same sample again. */
export const sampleTitle = (size: number, of: number): string =>
  allCases || of <= size ? '' : ` (${size} of ${of}, TEST_SEED=${seed})`
