# One image for web, recorder and migrate: docker build -t gatehouse . ; docs/install.md says how it is run.
# Any Debian with Node 24 and npm 9.5 or newer builds; any with glibc and libstdc++ runs. The digest counts, not the tag.
ARG BUILD_IMAGE=docker.io/library/node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
# The packages change less often than the sources.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN node scripts/package.mjs --out /out/app
RUN node scripts/sbom.mjs /out/app/sbom.cdx.json

FROM ${RUNTIME_IMAGE}
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /out/app /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 MALLOC_ARENA_MAX=2
WORKDIR /app
# By number, so that Kubernetes can see that it is not root. Nothing below /app belongs to it, and nothing is written.
USER 65532:65532
EXPOSE 7460 7470
# No shell: signals reach the program. Flags and MALLOC_ARENA_MAX are those of bin/launcher/node-flags.ts.
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=8", "/app/bin/cli.mjs"]
CMD ["web", "--host", "0.0.0.0"]
