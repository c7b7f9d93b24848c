/** Copy buttons, and one language for all samples of a session of the browser. */

const stored = 'sample-language'

const copy = async (code: string, button: HTMLButtonElement): Promise<void> => {
  await navigator.clipboard.writeText(code)
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = 'Copy'), 1500)
}

const copyButton = (code: () => string): HTMLButtonElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    void copy(code(), button)
  })
  return button
}

const chooseLanguage = (language: string): void => {
  for (const radio of document.querySelectorAll<HTMLInputElement>('.sample > input[type="radio"]'))
    if (radio.value === language) radio.checked = true
}

/** The language that was chosen last, for samples that are added later. */
export const chosenLanguage = (): string => sessionStorage.getItem(stored) ?? 'curl'

export const addCopyButtons = (): void => {
  // Copying needs a secure context. Without one the text can still be selected.
  if (window.isSecureContext)
    for (const block of document.querySelectorAll('main pre:not(.fault pre)'))
      block.append(copyButton(() => block.querySelector('code')?.textContent ?? ''))
  chooseLanguage(chosenLanguage())
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.sample') === null) return
    sessionStorage.setItem(stored, target.value)
    chooseLanguage(target.value)
  })
}
