import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.js'

type SearchProps = {
  readonly value: string
  /** Called with the trimmed text after a pause in typing. */
  readonly onSearch: (text: string) => void
}

/** The search of a list, as one types. */
export const SearchInput = ({ value, onSearch }: SearchProps) => {
  const { list } = useTexts()
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = useDebouncedCallback((next: string) => {
    sent.current = next
    onSearch(next)
  }, 250)
  // The address was changed by other means, such as Back.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  return (
    <TextInput
      label={list.search}
      type="search"
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        setText(next)
        send(next.trim())
      }}
    />
  )
}
