set -e
npm install --no-audit --no-fund --prefer-offline --loglevel=error
npx openapi-ts --input "$DOCUMENT" --output api >openapi-ts.log || { cat openapi-ts.log; exit 1; }
npx tsc --noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2023 program.ts
# The imports of the generated files have no extensions.
npx esbuild program.ts --bundle --platform=node --format=esm --log-level=warning --outfile=program.js
node program.js
