import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { ErrorMessage } from '../layout/messages.js'
import { useInstance } from '../service/place.js'
import { isServiceError } from '../service/session.js'
import { collectionName, useTexts } from '../texts/texts.js'

/** Where a path leads, in words. */
const Target = ({ target }: { readonly target: JsonObject | 'nothing' }) => {
  const { structure, collections } = useTexts()
  const { iid } = useInstance()
  if (target === 'nothing') return structure.leadsNowhere
  const { type, location, status, uuid, path } = target
  if (type === 'redirect') return structure.redirects({ location: String(location), status: Number(status) })
  const collection = model.resources.find(({ name }) => name === type)?.collection ?? ''
  return (
    <Anchor component={Link} href={`/${iid}/${collection}/${String(uuid)}`}>
      {collectionName(collections, collection)}: {String(path)}
    </Anchor>
  )
}

/** Tests where a path of the website leads. */
export const RedirectTest = () => {
  const { structure } = useTexts()
  const { api } = useInstance()
  const [path, setPath] = useState('')
  const [target, setTarget] = useState<JsonObject | 'nothing' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const test = async (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    setTarget(null)
    try {
      setTarget((await api.read('resolve', { path: path.startsWith('/') ? path : `/${path}` })).value)
    } catch (failure) {
      if (isServiceError(failure) && failure.status === 404) setTarget('nothing')
      else setError(failure)
    }
  }
  return (
    <form onSubmit={(event) => void test(event)}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={structure.testPath}
          placeholder="/news/old"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={path.trim() === ''}>
          {structure.test}
        </Button>
        <Text size="sm" aria-live="polite">
          {target !== null && <Target target={target} />}
        </Text>
      </Group>
      {error !== null && <ErrorMessage error={error} />}
    </form>
  )
}
