/** How people call the admin command, in help texts and in messages that name a next step. */
export const programName = 'npm run --silent admin --'
