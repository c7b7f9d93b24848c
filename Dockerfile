# The service is the last stage. MinIO, for docker-compose.yml, is built from its source in the version that the tests
# run on: nobody hands out images of it any more.

FROM golang:1.26.6-alpine AS minio-build
RUN CGO_ENABLED=0 go install -trimpath -ldflags='-s -w' github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c

FROM alpine:3.23.4 AS minio
COPY --from=minio-build /go/bin/minio /usr/bin/minio
RUN install -d -o 1000 -g 1000 /data
USER 1000:1000
EXPOSE 9000
ENTRYPOINT ["minio", "server", "--quiet", "/data"]

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /service
COPY . .
RUN npm ci --no-progress && node packages/composition-root/bin/deploy.js /deployed

FROM node:24.21.0-bookworm-slim AS service
RUN install -d -m 700 -o 1000 -g 1000 /data
WORKDIR /service
COPY --from=build /deployed .
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER 1000:1000
EXPOSE 8080
# Whether the process answers; whether its stores do is what /health/ready tells.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, and so gets SIGTERM.
ENTRYPOINT ["node", "packages/composition-root/bin/start.js"]
