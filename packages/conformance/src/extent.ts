/**
 * How much a test run covers. By default, only a sample of many similar cases is tested and slow tests repeat a few
 * rounds. With TEST_WHOLE=1, which `npm run test:all` sets, all cases are tested. Only this file reads the variable.
 */
import fc from 'fast-check'

const whole = process.env['TEST_WHOLE'] === '1'
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000)

/** The number of rounds, runs or items: `few` by default, `all` in a whole run. */
export const rounds = (few: number, all: number): number => (whole ? all : few)

/** At most `size` of the items in their order: a new sample for each run, or all of them in a whole run. */
export const sampleFrom = <A>(items: readonly A[], size: number): readonly A[] => {
  if (whole || items.length <= size) return items
  const [chosen = []] = fc.sample(fc.subarray([...items], { minLength: size, maxLength: size }), {
    numRuns: 1,
    seed,
  })
  return chosen
}

/** The suffix of the title of a sampled suite: how to run the same sample again. Empty in a whole run. */
export const sampleTitle = (size: number, of: number): string =>
  whole || of <= size ? '' : ` (${size} of ${of}, TEST_SEED=${seed})`
