set -e
python3 -m venv environment
environment/bin/pip install --quiet --no-compile --disable-pip-version-check --requirement requirements.txt
environment/bin/openapi-python-client generate --path "$DOCUMENT" --meta none --output-path api >generation.log || { cut -c 1-500 generation.log; exit 1; }
# Nothing is dropped but the bodies in formats of XML, and the type that stands for any type.
if grep -q 'Unable to process schema' generation.log; then grep -A 4 'Unable to process schema' generation.log; exit 1; fi
environment/bin/python program.py
