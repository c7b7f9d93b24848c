import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconGripVertical, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { ReferenceInput } from '../fields/reference-input.js'
import { Loaded } from '../layout/messages.js'
import { SaveErrors } from '../resource/save-bar.js'
import type { Api } from '../service/api.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { useUnsaved } from '../service/unsaved.js'
import { useSave } from '../service/use-save.js'
import { SortableItems } from '../sorting/sortable-items.js'
import sortingClasses from '../sorting/sorting.module.css'
import { useTexts } from '../texts/texts.js'

type Member = { readonly uuid: string; readonly title: string }

const fields = ['uuid', 'title']

const memberOf = ({ uuid, title }: JsonObject): Member => ({ uuid: String(uuid), title: String(title) })

type StoredMembers = { readonly members: readonly Member[]; readonly tag: string | null }

/** All members, page by page, and the entity tag of the list. */
const readMembers = async (api: Api, path: string): Promise<StoredMembers> => {
  const { tag } = await api.read(path)
  const members: Member[] = []
  for (let page = 1; ; page += 1) {
    const found = await api.list(path, { fields, page, rpp: model.maxRpp })
    members.push(...found.rows.map(memberOf))
    if (!found.hasMore) return { members, tag }
  }
}

const Members = ({ path, loaded }: { readonly path: string; readonly loaded: StoredMembers }) => {
  const { structure, form } = useTexts()
  const { api } = useInstance()
  const isAllowed = usePermission('tag_categories', 'update')
  const [{ members: stored, tag }, setStored] = useState(loaded)
  const [members, setMembers] = useState(stored)
  const isChanged = JSON.stringify(members) !== JSON.stringify(stored)
  useUnsaved(isChanged)
  const saving = useSave((body, condition) => api.replace(path, body, condition), null)
  const save = async () => {
    const items = members.map(({ uuid }) => ({ tag_uuid: uuid }))
    if ((await saving.save({ items }, tag)) !== null) setStored(await readMembers(api, path))
  }
  const add = async (uuid: unknown) => {
    if (typeof uuid !== 'string' || members.some((each) => each.uuid === uuid)) return
    const { value } = await api.read(`tags/${uuid}`)
    setMembers((current) => [...current, memberOf(value)])
  }
  return (
    <Fieldset legend={structure.members}>
      <Stack gap="sm">
        {members.length === 0 && <Text c="dimmed">{structure.noTags}</Text>}
        <SortableItems
          items={members}
          onMove={setMembers}
          labelOf={({ title }) => title}
          className={sortingClasses['list']}
        >
          {({ uuid, title }, index, { handle, buttons }) => (
            <Group gap="xs" wrap="nowrap">
              {isAllowed && (
                <div className={sortingClasses['handle']} {...handle}>
                  <IconGripVertical size={18} aria-hidden />
                </div>
              )}
              <MemberLink uuid={uuid} title={title} />
              {isAllowed && (
                <Group gap={0} wrap="nowrap" ml="auto">
                  {buttons}
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`${form.remove}: ${title}`}
                    onClick={() => setMembers(members.toSpliced(index, 1))}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Group>
              )}
            </Group>
          )}
        </SortableItems>
        {isAllowed && (
          <>
            <ReferenceInput
              type={{ kind: 'reference', collection: 'tags' }}
              label={structure.attach}
              value={null}
              onChange={(uuid) => void add(uuid)}
            />
            <SaveErrors {...saving} />
            <Group>
              <Button onClick={() => void save()} disabled={!isChanged} loading={saving.isSaving}>
                {structure.saveMembers}
              </Button>
              <Button variant="default" onClick={() => setMembers(stored)} disabled={!isChanged}>
                {form.discard}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Fieldset>
  )
}

const MemberLink = ({ uuid, title }: Member) => {
  const { iid } = useInstance()
  return (
    <Link href={`/${iid}/tags/${uuid}`} className="row-link">
      {title}
    </Link>
  )
}

/** The tags of a category, in their order. */
export const MembersEditor = ({ value }: { readonly value: JsonObject }) => {
  const { api, iid } = useInstance()
  const path = `tags/categories/${String(value['uuid'])}/tags`
  const query = useQuery({ queryKey: [iid, path], queryFn: () => readMembers(api, path), gcTime: 0 })
  return <Loaded query={query}>{(loaded) => <Members path={path} loaded={loaded} />}</Loaded>
}
