import { describe, expect, it } from "vitest";
import { alreadyRunning, firstDeployment } from "#lib/domain/delivery/derive-releases.ts";
import { describeService, formatPurl } from "./describe-service.ts";
import type { ServiceReport } from "./notifiable-event.ts";

const digest = `sha256:${"0b31b1c0".repeat(8)}`;

describe("formatPurl", () => {
  it.each([
    ["nginx", "pkg:oci/nginx"],
    ["shop/web:v2.3.0", "pkg:oci/web?repository_url=shop%2Fweb&tag=v2.3.0"],
    [`ghcr.io/shop/Web@${digest}`, `pkg:oci/web@${digest}?repository_url=ghcr.io%2Fshop%2FWeb`],
    [`reg:5000/web:v1@${digest}`, `pkg:oci/web@${digest}?repository_url=reg:5000%2Fweb&tag=v1`],
  ])("writes %s in the canonical form of purl", (image, purl) => expect(formatPurl(image)).toBe(purl));

  it.each(["", "a b", "web:v1\n", "shop//web", "web@sha256:0b31", "a".repeat(501)])("takes %j for no image", (text) =>
    expect(formatPurl(text)).toBeUndefined(),
  );
});

const purl = (version: string, name = "web") => `pkg:oci/${name}?repository_url=shop%2F${name}&tag=${version}`;
const ofVersion = (version: string) => ["shop/proxy:v1", `shop/web:${version}`];
const promoted: Parameters<typeof describeService>[0] = {
  ...{ state: "promoted", runKey: "b", revision: 2, message: "", images: ofVersion("v2") },
};
const before = { runKey: "a", images: ofVersion("v1") };
const both = (version: string) => [purl(version), purl("v1", "proxy")];

type Case = {
  name: string;
  release?: Partial<Parameters<typeof describeService>[0]>;
  past?: Partial<Parameters<typeof describeService>[1]>;
  says: Omit<ServiceReport, "environment"> | undefined;
};
const cases: Case[] = [
  { name: "a promotion, by the image that changed", says: { predicate: "upgraded", artifacts: both("v2") } },
  {
    name: "a promotion after which nothing else is known",
    past: { before: undefined },
    says: { predicate: "upgraded", artifacts: both("v2").toReversed() },
  },
  {
    name: "the first revision",
    release: { revision: 1 },
    past: { before: undefined },
    says: { predicate: "deployed", artifacts: both("v2").toReversed() },
  },
  {
    name: "a first deployment of a controller without revisions",
    release: { revision: null, message: firstDeployment },
    past: { before: undefined },
    says: { predicate: "deployed", artifacts: both("v2").toReversed() },
  },
  {
    name: "a promotion of a version that was promoted before",
    past: { isReturn: true },
    says: { predicate: "rolledback", artifacts: both("v2") },
  },
  {
    name: "an abort, by the version that runs again",
    release: { state: "aborted" },
    says: { predicate: "rolledback", artifacts: both("v1") },
  },
  {
    name: "an abort after which it is unknown what runs",
    release: { state: "aborted" },
    past: { before: undefined },
    says: undefined,
  },
  {
    name: "a version that ran already",
    release: { message: alreadyRunning },
    past: { before: undefined },
    says: undefined,
  },
  { name: "the version that was promoted last", release: { runKey: "a" }, says: undefined },
  { name: "a release without images", release: { images: [] }, says: undefined },
  ...(["superseded", "unknown", "paused"] as const).map((state) => ({
    name: state,
    release: { state },
    says: undefined,
  })),
];

describe("describeService", () => {
  it.each(cases)("$name", ({ release, past, says }) => {
    expect(describeService({ ...promoted, ...release }, { before, isReturn: false, ...past })).toEqual(says);
  });
});
