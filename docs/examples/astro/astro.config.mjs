import { defineConfig, envField } from 'astro/config'

const variable = (options) => envField.string({ context: 'server', access: 'secret', ...options })

export default defineConfig({
  trailingSlash: 'always',
  env: {
    validateSecrets: true,
    schema: {
      SERVICE: variable({ default: 'http://127.0.0.1:8080' }),
      // Without a key, the instance needs the setting public_reading.
      API_KEY: variable({ optional: true }),
      API_SECRET: variable({ optional: true }),
    },
  },
})
