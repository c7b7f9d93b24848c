import '@mantine/core/styles.css'
import './dashboard.css'
import {
  MantineProvider,
  MantineThemeProvider,
  createTheme,
  type CSSVariablesResolver,
  type MantineThemeColors,
} from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { ServiceError } from '@publishing-service/client'
import { App } from './app.js'
import { NotSignedIn } from './service/session.js'
import { firstTexts, TextsProvider, useTexts } from './texts/texts.js'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client repeats 429 and 503 itself; other responses of the service do not change by repetition.
      retry: (count, error) => !(error instanceof ServiceError || error instanceof NotSignedIn) && count < 2,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
})

const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    InputWrapper: { classNames: { error: 'fault' } },
    // A wide table is scrolled with the keyboard.
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
  },
})

/** Names the buttons that close dialogs. */
const LocalizedTheme = ({ children }: { readonly children: ReactNode }) => {
  const { form } = useTexts()
  const components = { ModalCloseButton: { defaultProps: { 'aria-label': form.close } } }
  return <MantineThemeProvider theme={{ components }}>{children}</MantineThemeProvider>
}

/** Red behind white texts. */
const filled = ({ red }: MantineThemeColors) => ({
  '--mantine-color-red-filled': red[9],
  '--mantine-color-red-filled-hover': '#a61e1e',
})

/** Texts with a contrast of at least 4.5 on every background. */
const contrast: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    ...filled(colors),
    '--mantine-color-green-light-color': '#1f6b2e',
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[5],
    '--mantine-color-red-light-color': colors.red[4],
    '--mantine-color-indigo-light-color': colors.indigo[2],
    ...filled(colors),
  },
})

// Scripts are loaded from the folder of this one only, whose address the service does not know behind every proxy: not
// from files of the same origin that users upload.
const scripts = document.createElement('meta')
scripts.httpEquiv = 'Content-Security-Policy'
scripts.content = `script-src ${import.meta.url.replace(/[^/]*$/, '')}`
document.head.append(scripts)

/** Of this response: the Content-Security-Policy accepts only style elements that have it. */
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce
// The name that the library for locked scrolling reads.
Object.assign(window, { __webpack_nonce__: nonce })

/** Not at the top of the module: the bundle would be split into many files, none of which may import this one. */
const show = async (page: HTMLElement) => {
  const first = await firstTexts()
  createRoot(page).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={contrast}
        defaultColorScheme="auto"
        {...(nonce !== undefined && { getStyleNonce: () => nonce })}
      >
        <QueryClientProvider client={queryClient}>
          <TextsProvider first={first}>
            <LocalizedTheme>
              <App />
            </LocalizedTheme>
          </TextsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
void show(root)
