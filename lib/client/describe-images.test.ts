import { expect, it } from "vitest";
import { pairImages, shortenImage } from "#lib/client/describe-images.ts";

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
