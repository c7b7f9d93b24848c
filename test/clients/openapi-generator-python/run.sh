set -e
bash "$CLIENTS/generate.sh" python
environment/bin/pip install --quiet --no-compile --disable-pip-version-check ./api
environment/bin/python program.py
