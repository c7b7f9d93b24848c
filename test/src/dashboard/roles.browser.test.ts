/** Each role is offered only what it may do: no control sends a request that the service rejects with 403. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Locator, Page } from 'playwright-core'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { resources, type Role } from '@publishing-service/domain'
import { type Action, mayActAs, roleNeeded, roles, type Subject } from '@publishing-service/domain/roles'
import { waitForFrames } from '../pages/browser.js'
import { goTo, servedDashboard } from './served-dashboard.js'

const mayDo = (role: Role, subject: Subject, action: Action): boolean => {
  const needed = roleNeeded(subject, action)
  return needed !== null && mayActAs(role, needed)
}

/** Collections with the general list and form. */
const general = new Set(['blogs', 'locations'])

/** The paths of links, without `#`. */
const pathsOf = async (links: Locator): Promise<readonly string[]> => {
  const all = await links.all()
  const addresses = await Promise.all(all.map((link) => link.getAttribute('href')))
  return addresses.flatMap((address) => (address?.startsWith('#') === true ? [address.slice(1)] : []))
}

/** The roles whose buttons are pressed. An editor and an admin may do nearly everything that a page offers. */
const pressing: ReadonlySet<Role> = new Set(['reader', 'contributor'])

/** The roles whose pages are opened: one that may write nothing, one that may write some objects, and one that may all. */
const visiting: ReadonlySet<Role> = new Set([...pressing, 'admin'])

/** How many collections have their pages opened, by each of these roles. */
const sampled = 4

type Sent = { readonly method: string; readonly url: string }

/** Presses a button, also below a dialog. */
const press = async (button: Locator): Promise<void> => {
  await button.dispatchEvent('click')
  await waitForFrames(button.page())
}

/** Changes a text, presses a button of each kind, and returns the requests for changes, which do not reach the service. */
const requestsOf = async (page: Page): Promise<readonly Sent[]> => {
  const sent: Sent[] = []
  const changes = (url: URL) => !url.pathname.startsWith('/dashboard')
  await page.route(changes, async (route) => {
    const request = route.request()
    const method = request.method()
    if (method === 'GET') return route.continue()
    sent.push({ method, url: request.url() })
    return route.fulfill({ status: 400, json: { error: 'bad_parameters' } })
  })
  const text = page.locator('#content input[type=text]:enabled:not([readonly]):visible').first()
  if (await text.isVisible()) await text.fill('changed')
  const buttons = page.locator('#content button:enabled:visible')
  const pressed = new Set<string>()
  for (;;) {
    // In one step, because buttons come and go. Of the buttons of each row, one is pressed, also below a dialog.
    const kind = await buttons.evaluateAll(
      (all, before) => {
        const kindOf = (each: (typeof all)[number]) =>
          (each.ariaLabel ?? each.textContent.trim()).split(':', 1)[0] ?? ''
        const next = all.find((each) => !before.includes(kindOf(each)))
        next?.dispatchEvent(new Event('click', { bubbles: true, cancelable: true }))
        return next && kindOf(next)
      },
      [...pressed],
    )
    if (kind === undefined) break
    pressed.add(kind)
    await waitForFrames(page)
    const confirm = page.getByRole('dialog').getByRole('button').last()
    if (await confirm.isVisible()) await press(confirm)
    await page.keyboard.press('Escape')
  }
  await page.unroute(changes)
  return sent
}

/** The status of the same request with a version that never existed and a body that is never accepted. */
const statusOf = async (page: Page, { method, url }: Sent): Promise<number> => {
  const headers = {
    Authorization: 'Session',
    Origin: new URL(url).origin,
    'If-Match': '"never"',
    'Content-Type': 'application/json',
  }
  const body = method === 'DELETE' ? {} : { data: '[]' }
  return (await page.request.fetch(url, { method, headers, ...body })).status()
}

describe('the pages of the dashboard', function () {
  this.timeout(600_000)
  const served = servedDashboard()

  for (const role of roles)
    it(`offer a ${role} only what the role may do${sampleTitle(sampled, resources.length)}`, () =>
      served.open(
        '/1',
        async (page) => {
          const menu = await pathsOf(page.getByRole('navigation').getByRole('link'))
          for (const { collection } of resources)
            expect(menu.includes(`/1/${collection}`), collection).to.equal(mayDo(role, collection, 'read'))
          for (const each of ['users', 'audit'])
            expect(menu.includes(`/1/${each}`), each).to.equal(role === 'admin')
          if (role !== 'admin') {
            await goTo(page, '/1/users')
            await page.getByText('There is no such page, or your role does not see it.').waitFor()
            expect(await page.locator('#content').getByText('Create', { exact: true }).count()).to.equal(0)
          }
          if (!visiting.has(role)) return

          const content = page.locator('#content')
          const expectControl = async (control: Locator, collection: Subject, action: Action) => {
            const where = `${action} at ${page.url()}`
            if (!mayDo(role, collection, action)) expect(await control.count(), where).to.equal(0)
            else if (general.has(collection)) expect(await control.count(), where).to.equal(1)
          }
          const sent: Sent[] = []
          const pressAll = async () => {
            if (pressing.has(role)) sent.push(...(await requestsOf(page)))
          }
          for (const { collection } of sampleFrom(resources, sampled)) {
            if (!mayDo(role, collection, 'read')) continue
            await goTo(page, `/1/${collection}`)
            await expectControl(content.getByText('Create', { exact: true }), collection, 'create')
            const links = await pathsOf(content.getByRole('link'))
            const object = links.find(
              (path) => path.startsWith(`/1/${collection}/`) && !path.includes('/new'),
            )
            await pressAll()
            if (object === undefined) continue
            await goTo(page, object)
            const button = (name: string) => content.getByRole('button', { name, exact: true })
            await expectControl(button('Save'), collection, 'update')
            await expectControl(button('Delete'), collection, 'remove')
            await pressAll()
          }
          for (const each of sent)
            expect(await statusOf(page, each), `${each.method} ${each.url}`).to.not.be.oneOf([401, 403])
        },
        { key: served.keys[role], statuses: [400] },
      ))
})
