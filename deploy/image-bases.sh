#!/bin/sh
# Makes the two bases of the Dockerfile from Debian's packages, for a machine that reaches no registry of images. As root,
# with the packages buildah and mmdebstrap, in a clone with its packages installed (npm ci):
#   deploy/image-bases.sh
#   buildah bud --isolation chroot --build-arg BUILD_IMAGE=localhost/gatehouse-build \
#     --build-arg RUNTIME_IMAGE=localhost/gatehouse-runtime -t gatehouse:0.2.0 .
set -eu
cd "$(dirname "$0")/.."
: "${SUITE:=bookworm}" "${NPM_VERSION:=11}"
node=$(ls node_modules/node-linux-*/bin/node)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A C library, certificates and time zones: no shell, no package manager.
mmdebstrap --quiet --variant=extract --include=libc6,libstdc++6,ca-certificates,tzdata "$SUITE" "$work/runtime.tar"
runtime=$(buildah from scratch)
buildah add -q "$runtime" "$work/runtime.tar" /
# Extracted packages run no scripts: this is the file that update-ca-certificates would make.
buildah copy -q "$runtime" /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
buildah commit -q --rm "$runtime" localhost/gatehouse-runtime

mmdebstrap --quiet --variant=minbase --include=ca-certificates,libstdc++6,npm "$SUITE" "$work/build.tar"
build=$(buildah from scratch)
buildah add -q "$build" "$work/build.tar" /
buildah copy -q "$build" "$node" /usr/local/bin/node
buildah copy -q "$build" /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$build"
# Debian's npm is too old to make a bill of materials.
buildah run --isolation chroot "$build" -- npm install --global "npm@$NPM_VERSION"
buildah commit -q --rm "$build" localhost/gatehouse-build
