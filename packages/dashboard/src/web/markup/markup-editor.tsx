import { Box, Input, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import { model } from 'virtual:model'
import { unknownElement } from '../../markup/element-tree.js'
import { wrapperOf, type InputProps } from '../fields/input-props.js'
import { useTexts } from '../texts/texts.js'
import classes from './markup-editor.module.css'
import { MarkupPreview } from './markup-preview.js'
import { parseMarkup } from './parse-markup.js'
import { RichText } from './rich-text.js'

/** The elements that rich text can have. The editor would drop a text with others. */
const elementNames = new Set(model.elements.map(({ name }) => name))
const namesWithoutSlots = new Set([...elementNames].filter((name) => name !== 'slot'))

const modes = ['rich', 'source', 'preview'] as const
type Mode = (typeof modes)[number]

/** Markup as rich text, as source, or as readers see it. Markup that is not changed is not rewritten. */
export const MarkupEditor = (props: InputProps<'markup'>) => {
  const { value, onChange, disabled, type } = props
  const { markup } = useTexts()
  const labelId = useId()
  const text = typeof value === 'string' ? value : ''
  const nodes = parseMarkup(text)
  const unknown =
    nodes === null ? null : unknownElement(nodes, type.hasSlots ? elementNames : namesWithoutSlots)
  const sourceOnly =
    nodes === null ? markup.notWellFormed : unknown === null ? null : markup.unknownElement({ name: unknown })
  const [mode, setMode] = useState<Mode>('rich')
  const shown =
    (mode === 'rich' && sourceOnly !== null) || (mode === 'preview' && nodes === null) ? 'source' : mode
  /** Once it is shown, the rich text remains, so that changes can be undone after a look at the source or the preview. */
  const [hasRich, setHasRich] = useState(shown === 'rich')
  if (shown === 'rich' && !hasRich) setHasRich(true)
  return (
    <Input.Wrapper {...wrapperOf(props)} labelElement="div" labelProps={{ id: labelId }}>
      <Box mt={4}>
        <SegmentedControl
          size="xs"
          mb={4}
          aria-label={markup.mode}
          data={modes.map((each) => ({ value: each, label: markup[each] }))}
          value={shown}
          onChange={setMode}
        />
        {shown !== mode && (
          <Text size="sm" c="red" role="alert">
            {sourceOnly}
          </Text>
        )}
        {hasRich && <RichText {...props} labelId={labelId} isShown={shown === 'rich'} />}
        {shown === 'preview' && (
          <div role="group" aria-labelledby={labelId} className={classes['frame']}>
            <MarkupPreview markup={text} />
          </div>
        )}
        {shown === 'source' && (
          <Textarea
            aria-labelledby={labelId}
            value={text}
            onChange={(event) =>
              onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)
            }
            maxLength={type.maxLength}
            disabled={disabled}
            autosize
            minRows={6}
            maxRows={30}
            classNames={{ input: classes['source'] ?? '' }}
            spellCheck={false}
          />
        )}
      </Box>
    </Input.Wrapper>
  )
}
