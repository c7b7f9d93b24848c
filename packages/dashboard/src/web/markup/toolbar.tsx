import { ActionIcon, Button, Group, Popover, Select, TextInput, Toolbar as OneTabStop } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconCode,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPhotoPlus,
  IconSeparator,
  IconSubscript,
  IconSuperscript,
  type Icon,
} from '@tabler/icons-react'
import { useEditorState, type Editor } from '@tiptap/react'
import { useState } from 'react'
import { bareBlock } from '../../markup/editor-document.js'
import { useTexts } from '../texts/texts.js'
import classes from './markup-editor.module.css'

type ToolProps = {
  readonly label: string
  readonly icon: Icon
  readonly isActive?: boolean
  readonly isDisabled?: boolean
  readonly run: () => void
}

const Tool = ({ label, icon: Symbol, isActive = false, isDisabled = false, run }: ToolProps) => (
  <ActionIcon
    variant={isActive ? 'light' : 'subtle'}
    color={isActive ? undefined : 'gray'}
    aria-label={label}
    title={label}
    aria-pressed={isActive}
    disabled={isDisabled}
    data-toolbar-toggle
    onMouseDown={(event) => event.preventDefault()}
    onClick={run}
  >
    <Symbol size={18} stroke={1.5} aria-hidden />
  </ActionIcon>
)

const LinkTool = ({ editor, current }: { readonly editor: Editor; readonly current: string | null }) => {
  const { form, markup } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const [address, setAddress] = useState('')
  const open = () => {
    setAddress(current ?? '')
    setOpen(true)
  }
  const apply = () => {
    const chain = editor.chain().focus().extendMarkRange('a').unsetMark('a')
    const href = address.trim()
    if (href === '') chain.run()
    else
      chain
        .setMark('a', { attributes: { href: /^[\w.-]+\.\w+/.test(href) ? `https://${href}` : href } })
        .run()
    setOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow withRoles={false}>
      <Popover.Target>
        <div>
          <Tool label={markup.link} icon={IconLink} isActive={current !== null} run={open} />
        </div>
      </Popover.Target>
      <Popover.Dropdown>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={markup.linkAddress}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              apply()
            }}
          />
          <Button onClick={apply}>{form.apply}</Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

const blockNames = ['p', 'h2', 'h3', 'h4', 'pre'] as const

/** What the editor can do with the selected text. */
export const Toolbar = ({
  editor,
  insertSlot,
}: {
  readonly editor: Editor
  readonly insertSlot?: (() => void) | undefined
}) => {
  const { markup } = useTexts()
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      block: blockNames.find((name) => current.isActive(name)) ?? null,
      marks: ['strong', 'em', 'code', 'sub', 'sup'].filter((name) => current.isActive(name)),
      lists: ['ul', 'ol', 'blockquote'].filter((name) => current.isActive(name)),
      link: current.isActive('a')
        ? ((current.getAttributes('a')['attributes'] as { href?: string } | undefined)?.href ?? '')
        : null,
      canUndo: current.can().undo(),
      canRedo: current.can().redo(),
    }),
  })
  const mark = (name: string, label: string, icon: Icon) => (
    <Tool
      label={label}
      icon={icon}
      isActive={state.marks.includes(name)}
      run={() => editor.chain().focus().toggleMark(name).run()}
    />
  )
  const list = (name: string, label: string, icon: Icon) => (
    <Tool
      label={label}
      icon={icon}
      isActive={state.lists.includes(name)}
      run={() => editor.chain().focus().setNode(bareBlock).toggleList(name, 'li').run()}
    />
  )
  return (
    <OneTabStop withBorder={false} className={classes['toolbar']} aria-label={markup.toolbar}>
      <Select
        data-toolbar-toggle
        size="xs"
        w={140}
        aria-label={markup.block}
        data={blockNames.map((name) => ({ value: name, label: markup.blocks[name] }))}
        value={state.block}
        allowDeselect={false}
        onChange={(name) => {
          if (name !== null) editor.chain().focus().setNode(name).run()
        }}
      />
      {mark('strong', markup.strong, IconBold)}
      {mark('em', markup.emphasis, IconItalic)}
      <LinkTool editor={editor} current={state.link} />
      {list('ul', markup.bullets, IconList)}
      {list('ol', markup.numbers, IconListNumbers)}
      <Tool
        label={markup.quotation}
        icon={IconBlockquote}
        isActive={state.lists.includes('blockquote')}
        run={() => editor.chain().focus().toggleWrap('blockquote').run()}
      />
      {mark('code', markup.code, IconCode)}
      {mark('sub', markup.subscript, IconSubscript)}
      {mark('sup', markup.superscript, IconSuperscript)}
      <Tool
        label={markup.rule}
        icon={IconSeparator}
        run={() => editor.chain().focus().insertContent({ type: 'hr' }).run()}
      />
      {insertSlot !== undefined && <Tool label={markup.insertMedia} icon={IconPhotoPlus} run={insertSlot} />}
      <Tool
        label={markup.undo}
        icon={IconArrowBackUp}
        isDisabled={!state.canUndo}
        run={() => editor.chain().focus().undo().run()}
      />
      <Tool
        label={markup.redo}
        icon={IconArrowForwardUp}
        isDisabled={!state.canRedo}
        run={() => editor.chain().focus().redo().run()}
      />
    </OneTabStop>
  )
}
