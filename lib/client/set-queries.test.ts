import { expect, it } from "vitest";
import { versionSetHref } from "#lib/client/set-queries.ts";

it.each([
  ["shop/app:v1", "/sets/version/v1?image=shop%2Fapp"],
  ["registry:5000/shop/app:v1@sha256:ab", "/sets/version/sha256%3Aab?image=registry%3A5000%2Fshop%2Fapp"],
  ["shop/app", undefined],
])("leads from %s to the version of that image alone", (image, path) => {
  expect(versionSetHref(image)).toBe(path);
});
