/** Content is a draft, live or scheduled; events recur. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import type { JsonObject } from '@publishing-service/domain/json'
import { createPublication, type Publication } from '../harness/publication.js'
import { uuidOf } from '../harness/expect-response.js'
import { findingsOn } from '../pages/axe-findings.js'
import { inEachLook } from '../pages/browser.js'
import { goTo, servedDashboard, type OpenOptions } from './served-dashboard.js'

describe('publication in the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  let home: Publication
  let editor: OpenOptions
  let contributor: OpenOptions
  let made = 0
  before(async () => {
    home = await createPublication(served.service)
    editor = { key: await served.service.keyFor('editor', home.number) }
    contributor = { key: await served.service.keyFor('contributor', home.number) }
  })

  const create = async (attributes: JsonObject): Promise<string> => {
    made += 1
    return uuidOf(
      await home.editor.post('/content', { title: `Text ${made}`, urlname: `text-${made}`, ...attributes }),
    )
  }
  const stored = async (uuid: string) => (await home.editor.get(`/content/${uuid}`)).object
  const open = (
    uuid: string,
    use: (page: Page) => Promise<void>,
    options: OpenOptions = editor,
  ): Promise<void> => served.open(`/${home.number}/content/${uuid}`, use, options)
  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
  }
  const panel = (page: Page) => page.getByRole('group', { name: 'Publication' })
  const choose = (page: Page, publication: string): Promise<void> =>
    panel(page).getByText(publication, { exact: true }).click()

  it('publishes at once, and withdraws', async () => {
    const uuid = await create({ content_type: 'article' })
    await open(uuid, async (page) => {
      await panel(page).getByText('The public does not see it.').waitFor()
      await choose(page, 'Publish now')
      await panel(page).getByText('It will be live when you save.').waitFor()
      expect(await stored(uuid)).to.include({ state: 'draft' })
      await save(page)
      await panel(page)
        .getByText(/^Live since /)
        .waitFor()
      expect(await stored(uuid)).to.include({ state: 'published' })
      await choose(page, 'Draft')
      await panel(page).getByText('When you save, the public no longer sees it.').waitFor()
      await save(page)
      expect(await stored(uuid)).to.include({ state: 'draft' })
    })
  })

  it('leads to the website: from what is live, in its form and in lists, and after it was published', async () => {
    const other = await createPublication(served.service, { website_url: 'https://harbour.example/en/' })
    const post = async (path: string, body: JsonObject) => uuidOf(await other.admin.post(path, body))
    // More than a page of the dialog that chooses a section.
    for (let n = 1; n <= 21; n += 1) await post('/sections', { title: `S ${n}`, urlname: `s-${n}` })
    const section_uuid = await post('/sections', { title: 'News', urlname: 'news' })
    const article = { content_type: 'article', section_uuid }
    const uuid = await post('/content', { ...article, title: 'Fog', urlname: 'fog' })
    await post('/content', { ...article, title: 'Tide', urlname: 'tide', state: 'published' })
    await post('/content', {
      ...article,
      title: 'Ice',
      urlname: 'ice',
      state: 'published',
      issued: '2099-01-01T00:00:00',
    })
    const at = `/${other.number}`
    const key = await served.service.keyFor('editor', other.number)
    await served.open(
      `${at}/content/${uuid}`,
      async (page) => {
        const links = page.getByRole('link', { name: 'View on the site' })
        const addresses = () =>
          links.evaluateAll((all) =>
            all.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]),
          )
        await panel(page).getByText('The public does not see it.').waitFor()
        expect(await addresses()).to.deep.equal([])
        await choose(page, 'Publish now')
        await save(page)
        await page.getByText('The public sees it now.').waitFor()
        const address = [null, 'https://harbour.example/en/news/fog/']
        expect(await addresses()).to.deep.equal([address, address])
        await goTo(page, `${at}/content?order=title`)
        expect(await addresses()).to.deep.equal([
          ['View on the site: Fog', 'https://harbour.example/en/news/fog/'],
          ['View on the site: Tide', 'https://harbour.example/en/news/tide/'],
        ])
        await goTo(page, `${at}/content/new?content_type=article`)
        await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Storm')
        await page.getByRole('button', { name: 'Section: Choose …' }).click()
        await page.keyboard.type('new')
        await page.getByRole('option').filter({ hasText: '/news/' }).click()
        await choose(page, 'Publish now')
        await page.getByRole('button', { name: 'Create', exact: true }).click()
        await page.getByText('The public sees it now.').waitFor()
        const created = [null, 'https://harbour.example/en/news/storm/']
        expect(await addresses()).to.deep.equal([created, created])
        await goTo(page, at)
        expect((await addresses()).map(([, href]) => href)).to.have.members([
          'https://harbour.example/en/news/fog/',
          'https://harbour.example/en/news/tide/',
          'https://harbour.example/en/news/storm/',
        ])
        await goTo(page, `${at}/sections`)
        expect((await addresses()).at(-1)).to.deep.equal([
          'View on the site: News',
          'https://harbour.example/en/news/',
        ])
      },
      { key },
    )
    await open(await create({ content_type: 'article', state: 'published' }), async (page) => {
      await panel(page)
        .getByText(/^Live since |The public sees it/)
        .waitFor()
      expect(await page.getByRole('link', { name: 'View on the site' }).count()).to.equal(0)
    })
  })

  it('publishes at a time in the zone of the instance', async () => {
    const uuid = await create({ content_type: 'article' })
    await open(uuid, async (page) => {
      await choose(page, 'Publish at a time')
      await page.getByLabel('Time in Europe/Vienna').fill('2099-11-24T08:00')
      await panel(page)
        .getByText(
          /^When you save, it will go live on Nov 24, 2099, 8:00\sAM in Europe\/Vienna \(in [\d,]+ days\)\.$/,
        )
        .waitFor()
      await save(page)
      expect(await stored(uuid)).to.include({ state: 'published', issued: '2099-11-24T08:00:00' })
      await panel(page)
        .getByText(/^Goes live on Nov 24, 2099/)
        .waitFor()
      await choose(page, 'Published')
      await panel(page).getByText('It will be live when you save.').waitFor()
      await save(page)
      expect(String((await stored(uuid))['issued']) < '2099').to.equal(true)
    })
  })

  it('publishes at the time of the save, whatever the clock of the computer says, and ends a plan', async () => {
    const uuid = await create({ content_type: 'article' })
    const isPublic = async () => (await home.visitor.get(`/content/${uuid}`)).status === 200
    await open(uuid, async (page) => {
      await panel(page).getByText('The public does not see it.').waitFor()
      await page.clock.setFixedTime(Date.now() + 10 * 60_000)
      await choose(page, 'Publish now')
      served.service.clock.advance(65_000)
      await save(page)
      await panel(page)
        .getByText(/^Live since /)
        .waitFor()
      expect(await isPublic()).to.equal(true)
      const { issued, modified } = await stored(uuid)
      expect(issued).to.equal(modified)
    })
    const planned = await create({
      content_type: 'article',
      state: 'published',
      issued: '2099-01-01T00:00:00',
    })
    await open(planned, async (page) => {
      await choose(page, 'Published')
      await save(page)
      const { issued, modified } = await stored(planned)
      expect(issued).to.equal(modified)
    })
  })

  it('has the zone of the publication, also before the settings are there', async () => {
    await served.open(
      `/${home.number}`,
      async (page) => {
        let answer = (): void => undefined
        const isWaiting = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route('**/settings', async (route) => {
          await isWaiting
          await route.continue()
        })
        await page.reload()
        await goTo(page, `/${home.number}/content/new?content_type=article`)
        await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Early bird')
        await choose(page, 'Publish at a time')
        await page.getByLabel('Time in Europe/Vienna').waitFor()
        await choose(page, 'Publish now')
        const created = page.waitForResponse((response) => response.request().method() === 'POST')
        await page.getByRole('button', { name: 'Create', exact: true }).click()
        await created
        answer()
        await page.getByRole('heading', { level: 1, name: 'Early bird' }).waitFor()
        const object = await stored(page.url().split('/').at(-1) ?? '')
        expect(object).to.include({ state: 'published', issued: object['created'] })
      },
      editor,
    )
  })

  it('is shown above the text on a telephone, with a link to the panel', async () => {
    const uuid = await create({ content_type: 'article' })
    await open(
      uuid,
      async (page) => {
        await page.getByRole('button', { name: 'The public does not see it.' }).click()
        expect(await page.evaluate('document.activeElement.value')).to.equal('draft')
        await choose(page, 'Publish now')
        await page.getByRole('button', { name: 'It will be live when you save.' }).waitFor()
        await save(page)
        expect(await stored(uuid)).to.include({ state: 'published' })
      },
      { ...editor, size: 'telephone' },
    )
  })

  it('is chosen for a location as for content, without a time', () =>
    served.open(
      `/${home.number}/locations/new`,
      async (page) => {
        await panel(page).getByText('It will be live when you save.').waitFor()
        expect(await panel(page).getByRole('radio').count()).to.equal(2)
        await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Pier')
        await choose(page, 'Draft')
        await page.getByRole('button', { name: 'Create', exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Pier' }).waitFor()
        const path = `/locations/${page.url().split('/').at(-1) ?? ''}`
        expect((await home.editor.get(path)).object).to.include({ state: 'draft' })
        await choose(page, 'Publish now')
        await save(page)
        await panel(page).getByText('The public sees it.').waitFor()
        expect((await home.editor.get(path)).object).to.include({ state: 'published' })
      },
      editor,
    ))

  it('is not offered to contributors', async () => {
    await served.open(
      `/${home.number}/content/new?content_type=article`,
      async (page) => {
        await page.getByText('Your role writes drafts.').waitFor()
        for (const option of await panel(page).getByRole('radio').all())
          expect(await option.isDisabled()).to.equal(true)
      },
      contributor,
    )
  })

  const dtstart = '2099-03-02T20:00:00'
  const event = (more: JsonObject = {}): Promise<string> =>
    create({ content_type: 'event', dtstart, ...more })
  const rule = (page: Page) => page.getByRole('group', { name: 'Recurrence' })

  it('sets how an event recurs', async () => {
    const uuid = await event()
    await open(uuid, async (page) => {
      await rule(page).getByLabel('Repeats').selectOption('WEEKLY')
      await rule(page).getByLabel('Every how many weeks').fill('2')
      await rule(page).getByLabel('Friday').check()
      await rule(page).getByLabel('Monday').check()
      await rule(page).getByLabel('Stops repeating').selectOption('count')
      await rule(page).getByLabel('Number of times').fill('6')
      await save(page)
      expect((await stored(uuid))['rrule']).to.deep.include({
        freq: 'WEEKLY',
        interval: 2,
        byday: ['MO', 'FR'],
        count: 6,
        until: null,
      })

      await rule(page).getByLabel('Repeats').selectOption('MONTHLY')
      await rule(page).getByLabel('On', { exact: true }).selectOption('-1')
      await rule(page).getByLabel('Weekday of the month').selectOption('FR')
      await rule(page).getByLabel('Stops repeating').selectOption('until')
      await rule(page).getByLabel('Until').fill('2099-12-31T00:00:00')
      await save(page)
      expect((await stored(uuid))['rrule']).to.deep.include({
        freq: 'MONTHLY',
        byday: ['-1FR'],
        count: null,
        until: '2099-12-31T00:00:00',
      })

      await rule(page).getByLabel('Repeats').selectOption('')
      await save(page)
      expect((await stored(uuid))['rrule']).to.equal(null)
    })
  })

  it('names the part of a rule that is not accepted', async () => {
    const uuid = await event({ rrule: { freq: 'DAILY' } })
    await open(
      uuid,
      async (page) => {
        await rule(page).getByLabel('Stops repeating').selectOption('until')
        await rule(page).getByLabel('Until').fill('2099-01-01T00:00:00')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await rule(page).getByRole('alert').getByText('until: must not be before dtstart').waitFor()
        expect(await rule(page).getByLabel('Until').inputValue()).to.include('2099-01-01T00:00')
      },
      { ...editor, statuses: [400, 422] },
    )
  })

  it('keeps the parts of a rule that have no input of their own, and shows them folded', async () => {
    const uuid = await event({ rrule: { freq: 'YEARLY', bymonth: [3, 9], byday: ['1MO'] } })
    await open(uuid, async (page) => {
      await rule(page).getByLabel('Every how many years').fill('2')
      await rule(page).getByRole('button', { name: 'Further parts of the rule' }).click()
      expect(await rule(page).getByLabel('Months 2', { exact: true }).inputValue()).to.equal('9')
      await save(page)
      expect((await stored(uuid))['rrule']).to.deep.include({
        freq: 'YEARLY',
        interval: 2,
        bymonth: [3, 9],
        byday: ['1MO'],
      })
    })
  })

  it('lists the next occurrences of an event, with further dates and without exceptions', async () => {
    const year = new Date().getUTCFullYear() + 1
    const uuid = await event({
      dtstart: `${year}-03-01T20:00:00`,
      rrule: { freq: 'DAILY', count: 3 },
      rdates: [`${year}-04-01T18:00:00`],
      exdates: [`${year}-03-02T20:00:00`],
    })
    await open(uuid, async (page) => {
      const next = page.getByRole('list', { name: 'Next occurrences' }).getByRole('listitem')
      await next.first().waitFor()
      expect(await next.allTextContents()).to.deep.equal([
        `Mar 1, ${year}, 8:00 PM`,
        `Mar 3, ${year}, 8:00 PM`,
        `Apr 1, ${year}, 6:00 PM`,
      ])
      await rule(page).getByLabel('Number of times').fill('2')
      await save(page)
      await page.getByText(`Mar 3, ${year}, 8:00 PM`).waitFor({ state: 'hidden' })
    })
  })

  it('has no finding of axe on an event', async () => {
    const uuid = await event({ rrule: { freq: 'WEEKLY', byday: ['MO'] } })
    await open(uuid, (page) =>
      inEachLook(page, async (look) => {
        expect(await findingsOn(page), look).to.deep.equal([])
      }),
    )
  })
})
