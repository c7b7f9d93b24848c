/** Small exports of WordPress for tests. */

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

export type TestItem = {
  readonly id: number
  readonly type?: string
  readonly status?: string
  readonly title?: string
  readonly link?: string
  readonly slug?: string
  readonly content?: string
  readonly excerpt?: string
  readonly parent?: number
  readonly gmt?: string
  readonly password?: string
  readonly attachment?: string
  readonly creator?: string
  /** As `taxonomy slug name`. */
  readonly terms?: readonly string[]
  readonly meta?: Readonly<Record<string, string>>
  readonly comments?: readonly TestComment[]
}

export type TestComment = {
  readonly id: number
  readonly parent?: number
  readonly text?: string
  readonly approved?: string
  readonly type?: string
}

const commentText = ({
  id,
  parent = 0,
  text = `Comment ${id}`,
  approved = '1',
  type = '',
}: TestComment): string =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>${cdata('Ida')}</wp:comment_author>
<wp:comment_author_email>ida@example.org</wp:comment_author_email><wp:comment_author_IP>192.0.2.7</wp:comment_author_IP>
<wp:comment_date>2020-02-01 12:00:00</wp:comment_date><wp:comment_date_gmt>2020-02-01 11:00:00</wp:comment_date_gmt>
<wp:comment_content>${cdata(text)}</wp:comment_content><wp:comment_approved>${approved}</wp:comment_approved>
<wp:comment_type>${type}</wp:comment_type><wp:comment_parent>${parent}</wp:comment_parent></wp:comment>`

const itemText = (item: TestItem): string => {
  const {
    id,
    type = 'post',
    status = 'publish',
    title = `Title ${id}`,
    slug = `title-${id}`,
    content = '',
  } = item
  const { link = `https://example.org/2020/01/${slug}/`, excerpt = '', parent = 0, password = '' } = item
  const {
    gmt = '2020-01-01 10:00:00',
    creator = 'ida',
    attachment,
    terms = [],
    meta = {},
    comments = [],
  } = item
  return `<item><title>${cdata(title)}</title><link>${link.replaceAll('&', '&amp;')}</link>
<dc:creator>${creator}</dc:creator><content:encoded>${cdata(content)}</content:encoded>
<excerpt:encoded>${cdata(excerpt)}</excerpt:encoded><wp:post_id>${id}</wp:post_id>
<wp:post_date>2020-01-01 11:00:00</wp:post_date><wp:post_date_gmt>${gmt}</wp:post_date_gmt>
<wp:post_name>${slug}</wp:post_name><wp:status>${status}</wp:status><wp:post_parent>${parent}</wp:post_parent>
<wp:menu_order>0</wp:menu_order><wp:post_type>${type}</wp:post_type><wp:post_password>${password}</wp:post_password>
${attachment === undefined ? '' : `<wp:attachment_url>${attachment}</wp:attachment_url>`}
${terms
  .map((term) => {
    const [taxonomy = '', termSlug = '', name = ''] = term.split(' ')
    return `<category domain="${taxonomy}" nicename="${termSlug}">${cdata(name)}</category>`
  })
  .join('')}
${Object.entries(meta)
  .map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
  )
  .join('')}${comments.map(commentText).join('')}</item>`
}

/** An export, with terms and authors as they are written. */
export const wxrText = (items: readonly TestItem[], before = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="https://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="https://wordpress.org/export/1.2/">
<channel><title>The Harbour</title><link>https://example.org</link>
<wp:author><wp:author_login>ida</wp:author_login><wp:author_email>ida@example.org</wp:author_email>
<wp:author_display_name>${cdata('Ida Holm')}</wp:author_display_name>
<wp:author_first_name>Ida</wp:author_first_name><wp:author_last_name>Holm</wp:author_last_name></wp:author>
${before}${items.map(itemText).join('\n')}</channel></rss>`

export const categoryText = (slug: string, name: string, parent = ''): string =>
  `<wp:category><wp:term_id>${slug.length}</wp:term_id><wp:category_nicename>${slug}</wp:category_nicename>
<wp:category_parent>${parent}</wp:category_parent><wp:cat_name>${cdata(name)}</wp:cat_name></wp:category>`
