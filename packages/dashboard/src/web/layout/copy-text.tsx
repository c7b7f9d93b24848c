import { Button, CopyButton, Stack, Textarea, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../texts/texts.js'

type CopyProps = Omit<ButtonProps, 'children'> & {
  readonly label: string
  readonly text: string
  /** What the text is, if the label does not say it. */
  readonly name?: string
}

/** Copies a text. On pages that are not secure, where browsers have no clipboard, the text is shown to be copied by hand. */
export const CopyText = ({ label, text, name, ...button }: CopyProps) => {
  const { access } = useTexts()
  const [isShown, setShown] = useState(false)
  const named = name === undefined ? label : `${label}: ${name}`
  return (
    <Stack gap="xs">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            {...button}
            aria-label={name && named}
            onClick={() => (window.isSecureContext ? copy() : setShown(true))}
          >
            {copied ? access.copied : label}
          </Button>
        )}
      </CopyButton>
      {isShown && (
        <Textarea
          aria-label={named}
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
