import { markup, type Value } from './markup.js'
import { dated, part } from './parts.js'
import type { Publication } from './publication.js'

/**
 * A form for a comment. People do not see the last field, which programs fill in. Its name says nothing that a browser or a
 * password manager knows of a person, so these leave it empty.
 */
const form = (content: string) => markup`<form action="/comments/" method="post">
  <input type="hidden" name="uuid" value="${content}">
  <label>Name <input name="creator" required maxlength="100" autocomplete="name"></label>
  <label>E-mail, not shown <input name="email" type="email" autocomplete="email"></label>
  <label>Comment <textarea name="comment" required maxlength="5000" rows="5"></textarea></label>
  <label class="unseen" aria-hidden="true">Leave this empty <input name="leave_empty" tabindex="-1" autocomplete="off"></label>
  <button>Send</button></form>`

/** The comments on content, replies below what they answer, and the form if visitors may write. */
export const commentsOn = async (from: Publication, content: string, count: number): Promise<Value> => {
  const { language, public_comments: isOpen } = await from.site()
  const comments = count > 0 ? await from.comments(content) : []
  const shown = (parent: string): Value => {
    const list = comments.filter((each) => each.parent_uuid === parent)
    return (
      list.length > 0 &&
      markup`<ol>${list.map(
        ({ uuid, title, comment, creator, created, deleted }) => markup`<li>
        ${
          deleted
            ? markup`<p class="meta">This comment was removed.</p>`
            : markup`<p class="meta"><b>${creator}</b> · ${dated(created, language, { dateStyle: 'long' })}</p>
        ${title && markup`<h3>${title}</h3>`}<p>${comment}</p>`
        }${shown(uuid)}</li>`,
      )}</ol>`
    )
  }
  return part(
    'Comments',
    (comments.length > 0 || isOpen) && [shown(content), isOpen && form(content)],
    'comments',
  )
}
