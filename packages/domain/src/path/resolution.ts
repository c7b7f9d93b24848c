/** What a website does with a path: it shows an object, or it redirects. */
export type Resolution =
  | { readonly type: string; readonly uuid: string; readonly url: string; readonly path: string }
  | { readonly type: 'redirect'; readonly location: string; readonly status: 301 | 302 }
