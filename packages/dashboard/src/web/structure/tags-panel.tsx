import { Fieldset, Group, NativeSelect, Pill, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { itemsIn } from '../../json.js'
import type { ResourceModel } from '@publishing-service/dashboard'
import { model } from 'virtual:model'
import { ReferenceInput } from '../fields/reference-input.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { useInstance, usePermission } from '../service/place.js'
import { useAction } from '../service/use-action.js'
import { useTexts, wordOf } from '../texts/texts.js'

/** The predicates by which an object accepts tags. */
export const predicatesOf = ({ collection, variant }: ResourceModel, value: JsonObject): readonly string[] =>
  model.predicates.flatMap(({ name, accepted }) => {
    const variants = accepted[collection]
    const isAccepted = variants === null || (variants?.some((each) => each === value[variant ?? '']) ?? false)
    return isAccepted ? [name] : []
  })

type PanelProps = {
  readonly resource: ResourceModel
  readonly uuid: string
  /** The path of its draft, if that is edited, below its collection. */
  readonly draft: string | null
  readonly predicates: readonly string[]
  /** Whether the user may change the object. */
  readonly isAllowed: boolean
}

/** The tags of an object, by what they are for it. Attaching and detaching is saved at once. */
export const TagsPanel = ({ resource: { segments }, uuid, draft, predicates, isAllowed }: PanelProps) => {
  const texts = useTexts()
  const { collections, form, structure } = texts
  const { api, iid } = useInstance()
  const mayAttach = usePermission('tags', 'attach') && isAllowed
  const [predicate, setPredicate] = useState(predicates[0] ?? '')
  const partsOf = `${segments}/${draft ?? uuid}`
  // With its UUID, so that it is not read again when the object is deleted.
  const key = [iid, segments, uuid, partsOf, 'tags']
  const pathOf = (tag: string, name: string): string =>
    draft === null ? `tags/${tag}/${name}/${uuid}` : `${partsOf}/tags/${name}/${tag}`
  const { error, run } = useAction({ queryKey: key })
  const query = useQuery({ queryKey: key, queryFn: () => api.read(`${partsOf}/tags`) })
  return (
    <Fieldset legend={collections.tags}>
      <Stack gap="sm">
        <Loaded query={query}>
          {({ value }) => {
            const tags = itemsIn(value)
            const used = [...new Set(tags.map((tag) => String(tag['predicate'])))]
            return (
              <>
                {tags.length === 0 && (
                  <Text size="sm" c="dimmed">
                    {structure.noTags}
                  </Text>
                )}
                {used.map((name) => (
                  <div key={name}>
                    <Text size="xs" c="dimmed">
                      {wordOf(texts, name)}
                    </Text>
                    <Pill.Group>
                      {tags
                        .filter((tag) => tag['predicate'] === name)
                        .map((tag) => (
                          <Pill
                            key={String(tag['uuid'])}
                            withRemoveButton={mayAttach}
                            removeButtonProps={{
                              'aria-label': `${form.remove}: ${String(tag['title'])}`,
                              'aria-hidden': false,
                              tabIndex: 0,
                            }}
                            onRemove={() => void run(() => api.remove(pathOf(String(tag['uuid']), name)))}
                          >
                            {String(tag['title'])}
                          </Pill>
                        ))}
                    </Pill.Group>
                  </div>
                ))}
              </>
            )
          }}
        </Loaded>
        {error !== null && <ErrorMessage error={error} />}
        {mayAttach && (
          <Group align="flex-end" gap="xs">
            {predicates.length > 1 && (
              <NativeSelect
                label={structure.predicate}
                data={predicates.map((name) => ({ value: name, label: wordOf(texts, name) }))}
                value={predicate}
                onChange={(event) => setPredicate(event.currentTarget.value)}
              />
            )}
            <ReferenceInput
              type={{ kind: 'reference', collection: 'tags' }}
              label={structure.attach}
              value={null}
              taken={itemsIn(query.data?.value ?? {})
                .filter((tag) => tag['predicate'] === predicate)
                .map((tag) => String(tag['uuid']))}
              onChange={(tag) => {
                if (typeof tag === 'string') void run(() => api.replace(pathOf(tag, predicate), {}))
              }}
            />
          </Group>
        )}
      </Stack>
    </Fieldset>
  )
}
