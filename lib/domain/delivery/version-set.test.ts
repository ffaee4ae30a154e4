import { describe, expect, it } from "vitest";
import {
  countStandings,
  findStanding,
  formatSetSentence,
  hasVersion,
  parseImage,
  type Standing,
  type StandingFacts,
} from "#lib/domain/delivery/version-set.ts";

describe("parseImage", () => {
  it.each([
    ["shop/app:v1", "shop/app", ["v1"]],
    ["registry:5000/shop/app", "registry:5000/shop/app", []],
    ["registry:5000/shop/app:v1", "registry:5000/shop/app", ["v1"]],
    ["shop/app@sha256:ab", "shop/app", ["sha256:ab"]],
    ["shop/app:v1@sha256:ab", "shop/app", ["v1", "sha256:ab"]],
    ["", "", []],
  ])("splits %s", (image, repository, versions) => {
    expect(parseImage(image)).toEqual({ repository, versions });
  });
});

describe("hasVersion", () => {
  it("compares whole versions, and the repository if one is given", () => {
    expect(hasVersion("shop/app:v1", { version: "v1" })).toBe(true);
    expect(hasVersion("shop/app:v1.2", { version: "v1" })).toBe(false);
    expect(hasVersion("shop/app:v1", { version: "v1", repository: "shop/app" })).toBe(true);
    expect(hasVersion("shop/web:v1", { version: "v1", repository: "shop/app" })).toBe(false);
  });
});

describe("findStanding", () => {
  const healthy: StandingFacts = {
    wants: true,
    serves: true,
    releaseState: "promoted",
    attention: null,
    phase: "Healthy",
  };

  it.each<[Standing, Partial<StandingFacts>]>([
    ["promoted", {}],
    ["promoted", { releaseState: null }],
    ["promoted", { attention: "finding" }],
    ["promoted", { wants: false, releaseState: "aborted", phase: "Degraded", attention: "degraded" }],
    ["leaving", { wants: false, releaseState: "progressing", phase: "Progressing" }],
    ["notBegun", { wants: false, serves: false }],
    ["inconclusive", { releaseState: "paused", attention: "inconclusive", phase: "Paused" }],
    ["waiting", { releaseState: "paused", attention: "pause", phase: "Paused" }],
    ["waiting", { releaseState: "paused", attention: "gate", phase: "Paused" }],
    ["aborted", { releaseState: "aborted", attention: "degraded", phase: "Degraded" }],
    ["degraded", { releaseState: "progressing", attention: "degraded", phase: "Degraded" }],
    ["degraded", { phase: "Degraded" }],
    ["underway", { releaseState: "progressing", phase: "Progressing" }],
    ["underway", { releaseState: "paused", phase: "Paused" }],
    ["unknown", { releaseState: null, phase: "Unknown" }],
  ])("is %s for %j", (standing, facts) => {
    expect(findStanding({ ...healthy, ...facts })).toBe(standing);
  });
});

describe("formatSetSentence", () => {
  it("names the promoted ones of all, then the others", () => {
    const some = (standing: Standing, count: number) => Array.from({ length: count }, () => ({ standing }));
    const members = [
      ...some("promoted", 31),
      ...some("inconclusive", 2),
      ...some("aborted", 1),
      ...some("notBegun", 6),
    ];
    expect(formatSetSentence("v2.31.0", countStandings(members))).toBe(
      "v2.31.0: promoted in 31 of 40, inconclusive in 2, aborted in 1, not begun in 6",
    );
  });
});
