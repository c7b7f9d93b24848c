set -e
bash "$CLIENTS/generate.sh" typescript-fetch --model-name-mappings File=FileObject
"$TOOLS/tsc" --ignoreConfig --noEmit --strict --skipLibCheck --types node --typeRoots "$TOOLS/../@types" --module esnext --moduleResolution bundler --target es2023 program.ts
# The imports of the generated files have no extensions.
"$TOOLS/rolldown" program.ts --platform node --format esm --log-level warn --file program.js
node program.js
