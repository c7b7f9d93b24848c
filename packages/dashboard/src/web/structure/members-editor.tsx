import type { JsonObject } from '@publishing-service/domain'
import { ReferenceInput } from '../fields/reference-input.js'
import type { Api, Versioned } from '../service/api.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'
import { MemberList } from './member-list.js'

const readTags = async (api: Api, path: string): Promise<Versioned> => {
  const { tag } = await api.read(path)
  return { value: { items: await api.listAll(path, { fields: ['uuid', 'title'] }) }, tag }
}

/** The tags of a category, in their order. */
export const MembersEditor = ({ value: { uuid = null } }: { readonly value: JsonObject }) => {
  const { structure } = useTexts()
  const { api } = useInstance()
  const isAllowed = usePermission('tag_categories', 'update')
  const path = `tags/categories/${String(uuid)}/tags`
  return (
    <MemberList
      title={structure.members}
      none={structure.noTags}
      saveText={structure.saveMembers}
      path={path}
      item="tag_uuid"
      collection="tags"
      isAllowed={isAllowed}
      read={() => readTags(api, path)}
      chooser={(add, members) => (
        <ReferenceInput
          type={{ kind: 'reference', collection: 'tags' }}
          label={structure.attach}
          value={null}
          taken={members}
          onChange={(chosen) => {
            if (typeof chosen === 'string') add([chosen])
          }}
        />
      )}
    />
  )
}
