import { Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowActionsProps } from '../resource/resource-list.js'
import { DeleteButton } from '../resource/delete-button.js'
import { useErrorText } from '../layout/messages.js'
import { useInstance, usePermission } from '../service/instance-context.js'
import { titleIn } from '../service/titles.js'
import { useTexts } from '../texts/texts.js'

/** Publishes a comment, hides it again, or deletes it. */
export const CommentActions = ({ row }: RowActionsProps) => {
  const { structure, list } = useTexts()
  const { api, iid } = useInstance()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const isAllowed = usePermission('comments', 'update', row)
  const canDelete = usePermission('comments', 'remove', row)
  const [error, setError] = useState<unknown>(null)
  const path = `comments/${String(row['uuid'])}`
  const isPublished = row['state'] === 'published'
  const title = titleIn(row) ?? list.untitled
  const label = isPublished ? structure.hide : structure.publish
  const toggle = async () => {
    setError(null)
    try {
      await api.change(path, { state: isPublished ? 'draft' : 'published' })
    } catch (failure) {
      setError(failure)
    }
    await queries.invalidateQueries({ queryKey: [iid] })
  }
  return (
    <>
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {isAllowed && (
          <Button size="xs" variant="light" onClick={() => void toggle()} aria-label={`${label}: ${title}`}>
            {label}
          </Button>
        )}
        {canDelete && <DeleteButton path={path} title={title} onDeleted={() => undefined} />}
      </Group>
      {error !== null && (
        <Text size="xs" c="red" role="alert">
          {errorText(error)}
        </Text>
      )}
    </>
  )
}
