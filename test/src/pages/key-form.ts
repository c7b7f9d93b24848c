/** The key form of the reference, which exchanges a key for a token. */
import type { Page } from 'playwright-core'
import { E } from '@publishing-service/domain'
import type { TestService } from '../harness/start-test-service.js'

/** Enters a new key of the sample instance into the form, and waits for the token. */
export const signIn = async (page: Page, service: TestService): Promise<void> => {
  const made = await service.useCases.administerKeys.create({ instance: 1, role: 'admin' })()
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
  await page.getByLabel('API key').fill(made.right.api_key)
  await page.getByLabel('API secret').fill(made.right.api_secret)
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText('You have a token: admin on instance 1.').waitFor()
}
