import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Violation = {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

/** The serious and critical violations that axe finds on a page, or in a part of it, one line for each element. */
export const findingsOn = async (page: Page, part = 'html'): Promise<readonly string[]> => {
  // Evaluated through the debugger, because the policy of the pages forbids foreign scripts.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(
    `axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'] })`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
