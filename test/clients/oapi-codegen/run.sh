set -e
mkdir -p api
go tool oapi-codegen -config config.yaml "$DOCUMENT"
# It runs once, so that optimizing the large client takes longer than it saves.
go run -gcflags='./...=-N -l -dwarf=false' .
