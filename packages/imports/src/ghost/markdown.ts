import markdownIt from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import marks from 'markdown-it-mark'
import subscripts from 'markdown-it-sub'
import superscripts from 'markdown-it-sup'

const parser = markdownIt({ html: true, breaks: true, linkify: true })
  .use(footnotes)
  .use(marks)
  .use(subscripts)
  .use(superscripts)
parser.linkify.set({ fuzzyLink: false })

/** Markdown as Ghost reads it: with HTML, line breaks, footnotes, and addresses as links. */
export const markdownHtml = (markdown: string): string => parser.render(markdown)
