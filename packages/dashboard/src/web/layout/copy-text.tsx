import { Button, CopyButton, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../texts/texts.js'

/** Copies a text. On pages that are not secure, where browsers have no clipboard, the text is shown to be copied by hand. */
export const CopyText = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const { access } = useTexts()
  const [isShown, setShown] = useState(false)
  return (
    <Stack gap="xs">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={() => (window.isSecureContext ? copy() : setShown(true))}>
            {copied ? access.copied : label}
          </Button>
        )}
      </CopyButton>
      {isShown && (
        <Textarea
          aria-label={label}
          value={text}
          readOnly
          autosize
          maxRows={10}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </Stack>
  )
}
