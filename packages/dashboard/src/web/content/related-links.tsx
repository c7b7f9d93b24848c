import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { ReferenceInput, useTitle } from '../fields/reference-input.js'
import { ErrorMessage, Loaded } from '../layout/messages.js'
import { useInstance } from '../service/place.js'
import { textOf, itemsIn } from '../../json.js'
import { OrderedList } from '../sorting/ordered-list.js'
import { useAction } from '../service/use-action.js'
import { useTexts } from '../texts/texts.js'

const collectionOf = ({ type }: JsonObject): string => (type === 'location' ? 'locations' : 'content')

/** A link as the service accepts it. */
const linkToSend = ({
  type = null,
  uuid = null,
  link_url: address = null,
  text = null,
}: JsonObject): JsonObject =>
  type === 'url' ? { type, link_url: address, text } : { type, target_uuid: uuid }

const Shown = ({ link }: { readonly link: JsonObject }) => {
  const { iid } = useInstance()
  const { type, link_url: address, text, uuid } = link
  const collection = collectionOf(link)
  const title = useTitle(collection, type === 'url' ? null : String(uuid))
  return type === 'url' ? (
    <Anchor href={String(address)} target="_blank" rel="noopener noreferrer" size="sm">
      {textOf(text) ?? String(address)}
    </Anchor>
  ) : (
    <Anchor component={Link} href={`/${iid}/${collection}/${String(uuid)}`} size="sm">
      {title ?? String(uuid)}
    </Anchor>
  )
}

type AddressProps = { readonly onAdd: (link: JsonObject) => Promise<boolean> }

const AddressInput = ({ onAdd }: AddressProps) => {
  const { content } = useTexts()
  const [address, setAddress] = useState('')
  const [text, setText] = useState('')
  const add = async () => {
    const isAdded = await onAdd({
      type: 'url',
      link_url: address.trim(),
      text: text.trim() === '' ? null : text,
    })
    if (!isAdded) return
    setAddress('')
    setText('')
  }
  return (
    <>
      <TextInput
        label={content.linkAddress}
        inputMode="url"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <TextInput
        label={content.linkText}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group>
        <Button variant="default" size="xs" disabled={address.trim() === ''} onClick={() => void add()}>
          {content.addAddress}
        </Button>
      </Group>
    </>
  )
}

type RelatedProps = { readonly partsOf: string; readonly isAllowed: boolean }

/** The related links of content, in their order. Each change is saved at once. */
export const RelatedLinks = ({ partsOf, isAllowed }: RelatedProps) => {
  const { content } = useTexts()
  const { api, iid } = useInstance()
  const path = `content/${partsOf}/related_links`
  const key = [iid, 'content', partsOf, 'related_links']
  const { error, run } = useAction({ queryKey: key })
  const query = useQuery({ queryKey: key, queryFn: () => api.read(path) })
  const save = (links: readonly JsonObject[], tag: string | null): Promise<boolean> =>
    run(() => api.replace(path, { items: links.map(linkToSend) }, tag))
  return (
    <Stack gap="sm">
      <Loaded query={query}>
        {({ value, tag }) => {
          const links = itemsIn(value)
          const add = (type: string) => (target: Json) => {
            if (typeof target === 'string') void save([...links, { type, uuid: target }], tag)
          }
          return (
            <>
              <OrderedList
                items={links}
                onChange={(next) => void save(next, tag)}
                labelOf={(_link, index) => content.linkOf({ number: index + 1 })}
                isAllowed={isAllowed}
              >
                {(link) => <Shown link={link} />}
              </OrderedList>
              {isAllowed && (
                <>
                  {(['content', 'location'] as const).map((type) => (
                    <ReferenceInput
                      key={type}
                      type={{ kind: 'reference', collection: collectionOf({ type }) }}
                      label={type === 'content' ? content.addContent : content.addLocation}
                      value={null}
                      taken={links.map(({ uuid: target }) => String(target))}
                      onChange={add(type)}
                    />
                  ))}
                  <AddressInput onAdd={(link) => save([...links, link], tag)} />
                </>
              )}
            </>
          )
        }}
      </Loaded>
      {error !== null && <ErrorMessage error={error} />}
    </Stack>
  )
}
