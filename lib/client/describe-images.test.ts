import { describe, expect, it } from "vitest";
import {
  describeAborted,
  describeVersions,
  nameAbortedTraffic,
  nameVersion,
  pairImages,
  shortenImage,
} from "#lib/client/describe-images.ts";

it.each([
  { image: "registry.example/team/app:v2.31.0", short: "v2.31.0" },
  { image: "localhost:5000/app:v1", short: "v1" },
  { image: "localhost:5000/app", short: "app" },
  { image: `app@sha256:${"0123456789abcdef".repeat(4)}`, short: "sha256:0123456789ab" },
])("shortens $image", ({ image, short }) => {
  expect(shortenImage(image)).toBe(short);
});

it.each([
  {
    name: "canary",
    images: [
      { image: "a:2", tags: ["canary"] },
      { image: "a:1", tags: ["stable"] },
    ],
    pair: { next: "a:2", stable: "a:1" },
  },
  {
    name: "blue-green",
    images: [
      { image: "a:1", tags: ["active", "stable"] },
      { image: "a:2", tags: ["preview"] },
    ],
    pair: { next: "a:2", stable: "a:1" },
  },
  { name: "one version", images: [{ image: "a:1", tags: ["stable"] }], pair: { next: undefined, stable: "a:1" } },
  {
    name: "the same image on both sides",
    images: [{ image: "a:1", tags: ["stable", "canary"] }],
    pair: { next: undefined, stable: "a:1" },
  },
  { name: "no tags", images: [{ image: "a:1", tags: [] }], pair: { next: undefined, stable: "a:1" } },
  { name: "no images", images: [], pair: { next: undefined, stable: undefined } },
])("pairs images: $name", ({ images, pair }) => {
  expect(pairImages(images)).toEqual(pair);
});

describe("a canary of Flagger, which has no ReplicaSets here", () => {
  const canary = {
    replicaSets: [],
    images: [
      { image: "podinfo:6.1", tags: ["canary"] },
      { image: "podinfo:6.0", tags: ["stable"] },
    ],
    ...{ revisionKey: "7d4c", stableRevisionKey: "5b9f", aborted: false, weight: null },
  };

  it("has versions with the names of its images, not with hashes", () => {
    expect(describeVersions(canary)).toBe("6.1 (stable 6.0)");
    expect(nameVersion(canary, "5b9f")).toBe("6.0");
  });

  it("has the key of another version, and of one whose workload is not known", () => {
    expect(nameVersion(canary, "aaaa")).toBe("aaaa");
    expect(nameVersion({ ...canary, images: [{ image: "podinfo:6.1", tags: [] }] }, "7d4c")).toBe("7d4c");
  });
});

describe("an aborted rollout", () => {
  const images = [{ image: "app:v1", tags: ["stable" as const] }];
  const point = { step: 2, weight: 25, images: ["sidecar:v7", "app:v2"] };
  const rollout = { kind: "Rollout" as const, images: [...images, { image: "sidecar:v7", tags: ["stable" as const] }] };

  it.each([
    { name: "both versions", change: {}, words: "v2, back on v1" },
    {
      name: "traffic that stays",
      change: { weight: { actual: 20, set: 0 } },
      words: "v2, aborted, stable is v1",
    },
    { name: "no traffic left", change: { weight: { actual: 0 } }, words: "v2, back on v1" },
    { name: "an unknown weight", change: { weight: { actual: null } }, words: "v2, aborted, stable is v1" },
    { name: "an abort whose release was not recorded", change: { abortPoint: { step: 2, weight: 25 } } },
    { name: "the same images again", change: { abortPoint: { ...point, images: ["app:v1"] } } },
    {
      name: "a sidecar of both versions, listed first",
      change: {
        images: ["envoy:1.31", "app:v1"].map((image) => ({ image, tags: ["stable" as const] })),
        abortPoint: { ...point, images: ["envoy:1.31", "app:v2"] },
      },
      words: "v2, back on v1",
    },
    {
      name: "both containers changed",
      change: {
        images: ["envoy:1.31", "app:v1"].map((image) => ({ image, tags: ["stable" as const] })),
        abortPoint: { ...point, images: ["app:v2", "envoy:1.32"] },
      },
      words: "v2, back on v1",
    },
    {
      name: "another repository",
      change: { images, abortPoint: { ...point, images: ["shop:v2"] } },
      words: "v2, back on v1",
    },
    {
      name: "a container more than before",
      change: { images, abortPoint: { ...point, images: ["app:v1", "envoy:1.31"] } },
    },
    { name: "no abort", change: { abortPoint: null } },
    { name: "Flagger, whose failures leave traffic in several places", change: { kind: "Canary" as const } },
  ])("$name", ({ change, words }) => {
    expect(describeAborted({ ...rollout, abortPoint: point, weight: null, ...change })).toBe(words);
  });

  it.each([
    { weight: { actual: 0 }, words: "on v2" },
    { weight: { actual: 20 }, words: "on v2" },
    { weight: { actual: null }, words: undefined },
    { weight: null, words: undefined },
  ])("names the version of a known weight only: $weight", ({ weight, words }) => {
    expect(nameAbortedTraffic({ ...rollout, abortPoint: point, weight })).toBe(words);
  });
});
