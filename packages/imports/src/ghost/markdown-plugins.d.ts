/** Plugins of markdown-it, which have no types. */
declare module 'markdown-it-footnote' {
  import type MarkdownIt from 'markdown-it'
  const plugin: (parser: MarkdownIt) => void
  export default plugin
}
declare module 'markdown-it-mark' {
  import type MarkdownIt from 'markdown-it'
  const plugin: (parser: MarkdownIt) => void
  export default plugin
}
declare module 'markdown-it-sub' {
  import type MarkdownIt from 'markdown-it'
  const plugin: (parser: MarkdownIt) => void
  export default plugin
}
declare module 'markdown-it-sup' {
  import type MarkdownIt from 'markdown-it'
  const plugin: (parser: MarkdownIt) => void
  export default plugin
}
