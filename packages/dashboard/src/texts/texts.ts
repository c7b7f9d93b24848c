/** The texts of the dashboard in one language: those of its file, with what is filled into them. */
import type en from './en.json'
import type { FillIn, Forms } from './fill-in.js'

/** The content of a file, such as that of English: other languages may tell other forms of plurals apart. */
type Like<Content> = Content extends string
  ? string
  : Content extends { readonly other: string }
    ? Forms
    : { readonly [Name in keyof Content]: Like<Content[Name]> }

export type Words = Like<typeof en>

/** Texts with placeholders are functions. */
export const textsOf = (words: Words, { text, plural }: FillIn) => ({
  ...words,
  signIn: {
    ...words.signIn,
    endedIntro: text(words.signIn.endedIntro, 'name'),
    otherUser: text(words.signIn.otherUser, 'name'),
  },
  link: {
    ...words.link,
    againIntro: text(words.link.againIntro, 'name'),
    titles: { ...words.link.titles, invitation: text(words.link.titles.invitation, 'name') },
  },
  account: {
    ...words.account,
    confirmationMailed: text(words.account.confirmationMailed, 'email'),
    notConfirmed: text(words.account.notConfirmed, 'email'),
    confirmEmailText: text(words.account.confirmEmailText, 'email'),
    renameTitle: text(words.account.renameTitle, 'name'),
    removeTitle: text(words.account.removeTitle, 'name'),
    deviceOf: text(words.account.deviceOf, 'browser', 'system'),
    passwordHelp: text(words.account.passwordHelp, 'characters'),
    shortPassword: text(words.account.shortPassword, 'characters'),
    codesLeft: plural(words.account.codesLeft),
  },
  shell: {
    ...words.shell,
    instance: text(words.shell.instance, 'id'),
  },
  list: {
    ...words.list,
    createOf: text(words.list.createOf, 'what'),
    filterButton: plural(words.list.filterButton),
    page: text(words.list.page, 'page'),
  },
  form: {
    ...words.form,
    deleteTitle: text(words.form.deleteTitle, 'title'),
    requiredUnless: text(words.form.requiredUnless, 'others'),
    pairName: text(words.form.pairName, 'pair'),
    pairText: text(words.form.pairText, 'pair'),
  },
  markup: {
    ...words.markup,
    unknownElement: text(words.markup.unknownElement, 'name'),
    missingPictures: plural(words.markup.missingPictures),
  },
  drafts: {
    ...words.drafts,
    publishAt: text(words.drafts.publishAt, 'zone'),
    willBePublished: text(words.drafts.willBePublished, 'when', 'distance'),
    missed: text(words.drafts.missed, 'when'),
  },
  overview: {
    ...words.overview,
    allOf: text(words.overview.allOf, 'title'),
  },
  presence: {
    ...words.presence,
    isOpen: text(words.presence.isOpen, 'name', 'time'),
  },
  review: {
    ...words.review,
    assigned: text(words.review.assigned, 'name'),
  },
  publication: {
    ...words.publication,
    time: text(words.publication.time, 'zone'),
    willGoLive: text(words.publication.willGoLive, 'when', 'zone', 'distance'),
    liveSince: text(words.publication.liveSince, 'when', 'zone', 'distance'),
    goesLive: text(words.publication.goesLive, 'when', 'zone', 'distance'),
    period: {
      ...words.publication.period,
      before: text(words.publication.period.before, 'distance'),
      during: text(words.publication.period.during, 'distance'),
      after: text(words.publication.period.after, 'distance'),
    },
  },
  content: {
    ...words.content,
    addressHelp: text(words.content.addressHelp, 'names'),
    notOfProvider: text(words.content.notOfProvider, 'name'),
    medium: text(words.content.medium, 'number'),
    linkOf: text(words.content.linkOf, 'number'),
    comments: plural(words.content.comments),
  },
  library: {
    ...words.library,
    files: plural(words.library.files),
    take: text(words.library.take, 'files'),
    uploaded: text(words.library.uploaded, 'done', 'all'),
    select: text(words.library.select, 'title'),
    moreUses: text(words.library.moreUses, 'collection'),
    selected: text(words.library.selected, 'files'),
    deleteTitle: text(words.library.deleteTitle, 'files'),
  },
  sorting: {
    ...words.sorting,
    place: text(words.sorting.place, 'place', 'count'),
    lifted: text(words.sorting.lifted, 'name', 'place'),
    over: text(words.sorting.over, 'name', 'place'),
    dropped: text(words.sorting.dropped, 'name', 'place'),
    cancelled: text(words.sorting.cancelled, 'name', 'place'),
  },
  structure: {
    ...words.structure,
    redirects: text(words.structure.redirects, 'location', 'status'),
  },
  access: {
    ...words.access,
    linkOnce: text(words.access.linkOnce, 'name'),
    confirmEmailTitle: text(words.access.confirmEmailTitle, 'email'),
    newLinkText: text(words.access.newLinkText, 'name'),
    revokeLinkTitle: text(words.access.revokeLinkTitle, 'name'),
    disableTitle: text(words.access.disableTitle, 'name'),
    enableTitle: text(words.access.enableTitle, 'name'),
    roleOn: text(words.access.roleOn, 'title'),
    takeAwayTitle: text(words.access.takeAwayTitle, 'instance'),
    createKeyText: text(words.access.createKeyText, 'name'),
    revokeTitle: text(words.access.revokeTitle, 'key'),
    typeTitle: text(words.access.typeTitle, 'title'),
  },
  trash: {
    ...words.trash,
    eraseTitle: text(words.trash.eraseTitle, 'name'),
  },
  webhooks: {
    ...words.webhooks,
    tested: text(words.webhooks.tested, 'status'),
    attempts: plural(words.webhooks.attempts),
  },
  imports: {
    ...words.imports,
    ofKind: text(words.imports.ofKind, 'kind'),
    done: text(words.imports.done, 'done', 'total'),
    line: text(words.imports.line, 'line'),
    bodyLine: text(words.imports.bodyLine, 'line'),
    more: plural(words.imports.more),
  },
  jobs: {
    ...words.jobs,
    stateOf: text(words.jobs.stateOf, 'name', 'state'),
    left: text(words.jobs.left, 'time'),
  },
  exports: {
    ...words.exports,
    of: text(words.exports.of, 'time'),
    documents: text(words.exports.documents, 'done', 'total'),
    data: text(words.exports.data, 'done', 'total'),
    made: text(words.exports.made, 'documents', 'size'),
    withoutData: plural(words.exports.withoutData),
  },
  audit: {
    ...words.audit,
    quoted: text(words.audit.quoted, 'title'),
    unnamed: text(words.audit.unnamed, 'collection'),
  },
})
