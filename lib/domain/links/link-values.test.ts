import { expect, it } from "vitest";
import { chooseImage, type LinkFacts, type LinkValues, linkValuesOf } from "./link-values.ts";

const place: LinkFacts = { cluster: "c", namespace: "n", name: "r", kind: "Rollout" };

it.each<{ name: string; facts: Partial<LinkFacts>; values: LinkValues }>([
  { name: "only the place", facts: {}, values: {} },
  { name: "revision 0", facts: { revision: 0 }, values: { revision: "0" } },
  { name: "no revision", facts: { revision: null }, values: {} },
  { name: "an empty pod hash", facts: { podHash: "" }, values: {} },
  {
    name: "times",
    facts: { from: "2026-11-20T10:00:00Z", to: "2026-11-20T10:00:01.5Z" },
    values: {
      from: "2026-11-20T10:00:00.000Z",
      fromMs: "1795168800000",
      to: "2026-11-20T10:00:01.500Z",
      toMs: "1795168801500",
    },
  },
  { name: "a time that is none", facts: { from: "yesterday" }, values: {} },
  {
    name: "an image with a tag",
    facts: { image: "r.example/a/b:v1" },
    values: { image: "r.example/a/b:v1", imageTag: "v1" },
  },
  { name: "a port and no tag", facts: { image: "r.example:5000/b" }, values: { image: "r.example:5000/b" } },
  {
    name: "a tag and a digest",
    facts: { image: "b:v1@sha256:abc" },
    values: { image: "b:v1@sha256:abc", imageTag: "v1" },
  },
  { name: "only a digest", facts: { image: "b@sha256:abc" }, values: { image: "b@sha256:abc" } },
  {
    name: "a creator",
    facts: { creatorKind: "Stage", creator: "test" },
    values: { creatorKind: "Stage", creator: "test" },
  },
  { name: "a redacted query", facts: { metric: "m", query: "x?token=[redacted]" }, values: { metric: "m" } },
])("gives values for $name", ({ facts, values }) => {
  expect(linkValuesOf({ ...place, ...facts })).toEqual({
    cluster: "c",
    namespace: "n",
    name: "r",
    kind: "Rollout",
    ...values,
  });
});

it.each([
  {
    images: [
      { image: "a", tags: ["stable"] },
      { image: "b", tags: ["canary"] },
    ],
    chosen: "b",
  },
  {
    images: [
      { image: "a", tags: ["active"] },
      { image: "b", tags: ["preview"] },
    ],
    chosen: "b",
  },
  {
    images: [
      { image: "b", tags: [] },
      { image: "a", tags: ["stable"] },
    ],
    chosen: "a",
  },
  { images: [{ image: "x", tags: [] }], chosen: "x" },
  { images: [], chosen: undefined },
])("chooses the image that is rolled out: $chosen", ({ images, chosen }) => {
  expect(chooseImage(images)).toBe(chosen);
});
