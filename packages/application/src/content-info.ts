import { content, contentPath, lookupsOf, pipe, publicPath, TE } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import type { Caller } from './caller.js'
import type { Outcome } from './failure.js'
import { loadReferences } from './objects/load-references.js'
import { findVisible } from './objects/read-object.js'

/** Where a content object stands on the public website (decisions §7). */
export const readContentInfo =
  (documents: DocumentStore) =>
  (caller: Caller, contentId: string): Outcome<{ readonly public_url: string }> =>
    pipe(
      findVisible(documents)(content, caller, contentId),
      TE.chain(({ value }) =>
        pipe(
          loadReferences(documents)(caller, lookupsOf(content, value, ['perma_url_path'])),
          TE.map((find) => ({
            public_url: `${caller.instance.website ?? caller.links.website}${publicPath(contentPath, value, find)}`,
          })),
        ),
      ),
    )
