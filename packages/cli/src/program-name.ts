/** How people call the admin command, in help texts and wherever a next step is told. */
export const programName = 'npm run --silent admin --'
