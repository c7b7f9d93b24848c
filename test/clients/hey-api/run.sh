set -e
npm install --no-audit --no-fund --prefer-offline --loglevel=error
npx openapi-ts --input "$DOCUMENT" --output api >openapi-ts.log || { cat openapi-ts.log; exit 1; }
"$TOOLS/tsc" --ignoreConfig --noEmit --strict --skipLibCheck --types node --module esnext --moduleResolution bundler --target es2023 program.ts
# The imports of the generated files have no extensions.
"$TOOLS/rolldown" program.ts --platform node --format esm --log-level warn --file program.js
node program.js
