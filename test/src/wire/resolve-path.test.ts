/** Resolution of paths of the website (docs/behaviour/paths.md#resolution). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('path resolution', {}, (place) => {
  const write = async (collection: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.editor.post(`/${collection}`, { title: 'x', ...body }))
  const section = async (urlname: string, parent_uuid: string | null = null): Promise<string> =>
    uuidOf(await place.home.admin.post('/sections', { title: 'x', urlname, parent_uuid }))
  const article = (urlname: string, section_uuid: string | null, body: JsonObject = {}) =>
    write('content', { content_type: 'article', state: 'published', urlname, section_uuid, ...body })
  let ord = 0
  const redirect = (pattern: string, template: string, body: JsonObject = {}) =>
    write('redirects', { pattern, template, ord: (ord += 1), ...body })
  const ask = (path: string, client = place.home.visitor) =>
    client.get(`/resolve?path=${encodeURIComponent(path)}`, fresh)
  const resolve = async (path: string) => expectOk(await ask(path)).body
  const expectNone = async (path: string) => expectError(await ask(path), 404, 'not_found')
  const object = (type: string, collection: string, uuid: string, path: string) => ({
    type,
    uuid,
    url: `${place.home.url}/${collection}/${uuid}`,
    path,
  })
  const moved = (location: string, status = 301) => ({ type: 'redirect', location, status })

  it('finds sections, content, locations, tags and the homepage', async () => {
    const news = await section('news')
    const local = await section('local', news)
    const story = await article('Fire', local)
    const single = await article('about', null)
    const hall = await write('locations', { urlname: 'hall' })
    const jazz = await write('tags', { last_name_or_title: 'Jazz', urlname: 'jazz' })
    expect(await resolve('/news/')).to.deep.equal(object('section', 'sections', news, '/news/'))
    expect(await resolve('/news/local/')).to.deep.equal(object('section', 'sections', local, '/news/local/'))
    expect(await resolve('/news/local/Fire/')).to.deep.equal(
      object('content', 'content', story, '/news/local/Fire/'),
    )
    expect(await resolve('/about/')).to.deep.equal(object('content', 'content', single, '/about/'))
    expect(await resolve('/tags/jazz/')).to.deep.equal(object('tag', 'tags', jazz, '/tags/jazz/'))
    const published = await ask('/locations/hall/', place.home.reader)
    expect(expectOk(published).body).to.deep.equal(object('location', 'locations', hall, '/locations/hall/'))
    expect(expectOk(await place.home.visitor.get('/resolve')).object['type']).to.equal('homepage')
    expect(await resolve('/')).to.include({ type: 'homepage', path: '/' })
    for (const path of ['/local/', '/news/Fire/', '/news/local/Fire/x/', '/locations/', '/tags/x/', '/x/'])
      await expectNone(path)
    await expectNone('/a'.repeat(30))
  })

  it('redirects to the canonical path, and retains the query', async () => {
    await article('Fire', await section('news'))
    for (const path of ['/news/Fire', '/News/fire/', '//news//Fire///', '/NEWS/FIRE'])
      expect(await resolve(path), path).to.deep.equal(moved('/news/Fire/'))
    expect(await resolve('/news/fire?page=2#top')).to.deep.equal(moved('/news/Fire/?page=2#top'))
    expect(await resolve('/news/Fire/?page=2')).to.include({ type: 'content' })
    expect(await resolve('//')).to.deep.equal(moved('/'))
  })

  it('redirects from earlier paths, also those of sections above', async () => {
    const news = await section('news')
    const story = await article('fire', news)
    const { admin, editor } = place.home
    expectOk(await editor.patch(`/content/${story}`, { urlname: 'big-fire' }))
    expect(await resolve('/news/fire/')).to.deep.equal(moved('/news/big-fire/'))
    expect(await resolve('/News/Fire?a=1')).to.deep.equal(moved('/news/big-fire/?a=1'))
    expectOk(await admin.patch(`/sections/${news}`, { urlname: 'nachrichten' }))
    for (const path of ['/news/big-fire/', '/news/fire', '/nachrichten/Big-Fire'])
      expect(await resolve(path), path).to.deep.equal(moved('/nachrichten/big-fire/'))
    expect(await resolve('/news/')).to.deep.equal(moved('/nachrichten/'))
    const later = await article('later', news)
    expect(await resolve('/news/later/')).to.deep.equal(moved('/nachrichten/later/'))
    expectOk(await editor.put(`/content/${later}/path_history`, { items: [] }))
    await expectNone('/news/later/')
    const long = `/${'old-name/'.repeat(600)}`
    expectOk(await editor.post(`/content/${later}/path_history`, { path: long }))
    expect(await resolve(long)).to.deep.equal(moved('/nachrichten/later/'))
    await expectNone(`${long}x/`)
  })

  it('applies redirects in their order', async () => {
    await redirect('/old', 'https://www.example.org/new')
    await redirect('/shop/**', '/store/\\1', { permanent: false })
    await redirect('/shop/books/**', '/never/\\1')
    await redirect('/**.html', '/pages/\\1')
    await redirect('/article.php?id=7', '/seven/')
    for (const path of ['/old', '/OLD/', '/old?x=1'])
      expect(await resolve(path), path).to.deep.equal(moved('https://www.example.org/new'))
    expect(await resolve('/shop/books/A?b=c')).to.deep.equal(moved('/store/books/A?b=c', 302))
    expect(await resolve('/shop/')).to.deep.equal(moved('/store/', 302))
    expect(await resolve('/a/b.HTML')).to.deep.equal(moved('/pages/a/b'))
    expect(await resolve('/article.php?id=7')).to.deep.equal(moved('/seven/'))
    await expectNone('/article.php?id=8')
    await expectNone('/older')
  })

  it('finds a path in every form of its letters', async () => {
    const story = await article('story', null)
    expectOk(await place.home.editor.post(`/content/${story}/path_history`, { path: '/alte-straße/' }))
    await redirect('/über-uns/', '/story/')
    await redirect('/k%C3%A4ufer/**', '/\\1')
    for (const path of [
      '/über-uns/',
      '/%C3%BCber-uns/',
      '/Über-uns/',
      '/u\u0308ber-uns/',
      '/käufer/story',
      '/K%c3%a4ufer/story/',
      '/alte-straße/',
      '/Alte-Stra%C3%9Fe',
      '/%73tory/',
    ])
      expect(await resolve(path), path).to.deep.equal(moved('/story/'))
    await expectNone('/alte-strasse/')
  })

  it('follows redirects to their end; a loop is not found', async () => {
    const news = await section('news')
    await article('fire', news)
    await redirect('/a', '/b')
    await redirect('/b', '/c', { permanent: false })
    await redirect('/c', '/NEWS/fire?from=c')
    await redirect('/loop/**', '/pool/\\1')
    await redirect('/pool/**', '/loop/\\1')
    await redirect('/grow/**', '/grow/x\\1')
    await redirect('/left/**', '/right/\\1\\1')
    await redirect('/right/**', '/left/\\1')
    await redirect('/home', '/')
    expect(await resolve('/a')).to.deep.equal(moved('/news/fire/?from=c', 302))
    expect(await resolve('/c')).to.deep.equal(moved('/news/fire/?from=c'))
    expect(await resolve('/home')).to.deep.equal(moved('/'))
    await expectNone('/loop/1')
    await expectNone('/grow/1')
    await expectNone(`/left/${'1'.repeat(1000)}`)
    const endless = { pattern: '/more/**', template: '/more/\\1\\1', ord: 1 }
    expectFaults(await place.home.editor.post('/redirects', endless), 'template')
  })

  it('finds nothing that the role does not see', async () => {
    const news = await section('news')
    const draft = await article('draft', news, { state: 'draft' })
    await article('later', news, { issued: '2027-01-01' })
    const former = await article('hidden', news, { state: 'draft' })
    expectOk(await place.home.editor.patch(`/content/${former}`, { urlname: 'renamed' }))
    for (const path of ['/news/draft/', '/news/later/', '/news/hidden/', '/news/renamed/'])
      await expectNone(path)
    const seen = expectOk(await ask('/news/draft/', place.home.reader)).object
    expect(seen['uuid']).to.equal(draft)
    expectOk(await ask('/news/hidden/', place.home.reader))
    await redirect('/news/draft', '/news/')
    expect(await resolve('/news/draft/')).to.deep.equal(moved('/news/'))
  })

  it('never leads to another host or adds to a header', async () => {
    await redirect('/x/**', '/\\1')
    for (const [path, location] of [
      ['/x//evil.example/', '/evil.example/'],
      ['/x/\\evil.example', '/%5Cevil.example'],
      ['/x/a\r\nSet-Cookie: b', '/a%0D%0ASet-Cookie:%20b'],
    ] as const)
      expect(await resolve(path), path).to.deep.equal(moved(location))
  })

  it('has faults for what is not a path', async () => {
    const { visitor } = place.home
    for (const path of ['', 'news', 'https://example.org/', `/${'x'.repeat(8000)}`])
      expectFaults(await ask(path), 'path')
    expectFaults(await visitor.get('/resolve?path=/a&path=/b'), 'path')
    await expectNone(`/${randomUUID()}/`)
  })
})
