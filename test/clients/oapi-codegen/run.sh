set -e
mkdir -p api
go tool oapi-codegen -config config.yaml "$DOCUMENT"
go run .
