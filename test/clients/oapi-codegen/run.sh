set -e
mkdir -p api
go tool oapi-codegen -config config.yaml "$DOCUMENT"
# It runs once, so that optimizing the large client, or collecting the garbage of its compiler, takes longer than it saves.
GOGC=400 go run -gcflags='./...=-N -l -dwarf=false' .
