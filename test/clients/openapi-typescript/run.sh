set -e
npm install --no-audit --no-fund --prefer-offline --loglevel=error
npx openapi-typescript "$DOCUMENT" --output api.ts
npx tsc --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --module nodenext --target es2023 program.ts
node program.js
