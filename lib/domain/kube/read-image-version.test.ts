import { expect, it } from "vitest";
import { readImageVersion } from "./read-image-version.ts";

it.each([
  { name: "a tag", images: ["ghcr.io/fluxcd/flagger:1.44.0"], version: "1.44.0" },
  { name: "a tag with v and a suffix", images: ["docker.io/org/flagger:v1.43.0-rc.1"], version: "1.43.0-rc.1" },
  { name: "a registry with a port, and a digest", images: ["reg:5000/flagger:1.2.3@sha256:ab"], version: "1.2.3" },
  { name: "other images beside it", images: ["flagger-loadtester:0.1.0", "flagger:1.2.3"], version: "1.2.3" },
  { name: "two replicas of one version", images: ["a/flagger:1.2.3", "b/flagger:1.2.3"], version: "1.2.3" },
  { name: "two versions", images: ["a/flagger:1.2.3", "b/flagger:1.2.4"], version: undefined },
  { name: "no version in the tag", images: ["a/flagger:latest"], version: undefined },
  { name: "one of two without a version", images: ["a/flagger:1.2.3", "b/flagger"], version: undefined },
  { name: "only a digest", images: ["a/flagger@sha256:ab"], version: undefined },
  { name: "none of that name", images: ["a/other:1.2.3"], version: undefined },
])("$name", ({ images, version }) => {
  expect(readImageVersion(images, ["flagger"])).toBe(version);
});
