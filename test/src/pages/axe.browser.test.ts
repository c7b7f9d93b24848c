/** axe finds no serious or critical violation on the documentation pages, also after interaction. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { documentationPages } from '@publishing-service/http-contract'
import { findingsOn } from './axe-findings.js'
import { looks, servedPages, visit } from './browser.js'
import { signIn } from './key-form.js'

const operations = {
  listContent: 'content',
  replaceLocation: 'locations',
  uploadFile: 'files',
  exchangeToken: 'service',
} as const

const colorSchemes = ['light', 'dark'] as const
const openOperations = Object.entries(operations).flatMap(([id, group]) =>
  colorSchemes.map((colorScheme) => ({ id, group, colorScheme })),
)
const sampled = 4

describe('axe, on the documentation pages', function () {
  this.timeout(240_000)
  const served = servedPages()

  it('finds a violation on an invalid page', () =>
    visit(served.browser, `${served.service.url}/docs/errors`, async ({ page }) => {
      await page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<select></select>')",
      )
      expect(await findingsOn(page)).to.deep.equal(['select-name: <select></select>'])
    }))

  for (const { path } of Object.values(documentationPages))
    for (const { size, colorScheme } of looks)
      it(`finds no violation on ${path}, ${colorScheme}, on a ${size}`, () =>
        visit(
          served.browser,
          `${served.service.url}${path}`,
          async ({ page }) => {
            if (path === documentationPages.reference.path) await page.locator('.opblock').first().waitFor()
            expect(await findingsOn(page)).to.deep.equal([])
          },
          { colorScheme, size },
        ))

  for (const { id, group, colorScheme } of sampleFrom(openOperations, sampled))
    it(`finds no violation in ${id}, ${colorScheme}${sampleTitle(sampled, openOperations.length)}`, () =>
      visit(
        served.browser,
        `${served.service.url}/docs#/${group}/${id}`,
        async ({ page }) => {
          const operation = page.locator(`#operations-${group}-${id}`)
          await operation.locator('.responses-wrapper').waitFor()
          await operation.locator('.errors summary').click()
          expect(await findingsOn(page)).to.deep.equal([])
        },
        { colorScheme },
      ))

  for (const colorScheme of sampleFrom(colorSchemes, 1))
    it(`finds no violation after a response, and in search results, ${colorScheme}`, () =>
      visit(
        served.browser,
        `${served.service.url}/docs#/content/listContent`,
        async ({ page }) => {
          await signIn(page, served.service)
          const operation = page.locator('#operations-content-listContent')
          await operation.getByRole('button', { name: 'Execute' }).click()
          await operation.locator('.live-responses-table tbody').waitFor()
          await page.getByRole('combobox', { name: 'Search the documentation' }).fill('gallery')
          await page.getByRole('option').first().waitFor()
          expect(await findingsOn(page)).to.deep.equal([])
        },
        { colorScheme },
      ))
})
