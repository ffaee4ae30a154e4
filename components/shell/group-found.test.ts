import { describe, expect, it } from "vitest";
import { groupFound, listVersions, readWhoMay } from "#components/shell/group-found.ts";
import type { SearchAnswer } from "#lib/contract/search.ts";

const at = "2026-03-01T03:12:07Z";
const rollout = {
  id: "demo/payments/Rollout/checkout",
  cluster: "demo",
  namespace: "payments",
  kind: "Rollout",
  name: "checkout",
};
const none = { items: [], more: false };
const nothing: SearchAnswer = {
  rollouts: none,
  releases: none,
  runs: none,
  experiments: none,
  templates: none,
  findings: none,
  people: none,
  messages: none,
  audit: none,
  tooShort: false,
};

describe("what the palette shows", () => {
  it("leaves out kinds of which nothing was found", () => {
    expect(groupFound(nothing)).toEqual([]);
  });

  it("names a rollout with its place, its versions, and what it waits for", () => {
    const images = [
      { image: "registry/checkout:v2", tags: ["canary"] },
      { image: "registry/checkout:v1", tags: ["stable"] },
    ];
    const found = {
      rollout,
      phase: "Paused",
      presence: "live",
      attention: { reason: "inconclusive" },
      images,
      at,
    } as const;
    const [group] = groupFound({ ...nothing, rollouts: { items: [{ ...found, images }], more: false } });
    expect(group).toMatchObject({
      label: "Rollouts",
      rows: [
        {
          href: "/rollouts/demo/payments/Rollout/checkout",
          shown: { state: "inconclusive", word: "Inconclusive" },
          label: "checkout",
          detail: "demo / payments · v2 (stable v1)",
        },
      ],
    });
  });

  it("names a release by its version, and says if there are more", () => {
    const release = {
      rollout,
      id: "11111111-1111-4111-8111-111111111111",
      runKey: "6d5f8",
      revision: 4,
      attempt: 2,
      state: "aborted",
      waitsFor: null,
      images: ["registry/checkout:v2"],
      message:
        'RolloutAborted: Rollout aborted update to revision 4: Step-based analysis phase error/failed: Metric "error-rate" assessed Failed due to failed (2) > failureLimit (1)',
      at,
    } as const;
    const words = "Aborted by the controller: error-rate failed 2 times (1 allowed)";
    const [group] = groupFound({
      ...nothing,
      releases: { items: [{ ...release, images: [...release.images] }], more: true },
    });
    expect(group).toMatchObject({
      label: "Releases, the newest 1",
      rows: [{ label: "checkout v2", detail: "demo / payments · revision 4 · attempt 2", message: words }],
    });
  });

  it("leads from a person to what they did", () => {
    const [group] = groupFound({
      ...nothing,
      people: { items: [{ name: "a & b", subject: "a & b", at }], more: false },
    });
    expect(group?.rows).toMatchObject([{ href: "/audit?actor=a+%26+b", detail: "" }]);
  });
});

describe("the versions that are searched for", () => {
  const images = [
    { image: "registry/checkout:v2.31.0", tags: ["canary"] },
    { image: "registry/checkout:v2.30.4", tags: ["stable"] },
  ];
  const found = { rollout, phase: "Paused", presence: "live", attention: null, images, at } as const;
  const answer = { ...nothing, rollouts: { items: [found, found], more: false } };

  it.each([
    ["v2.31", ["/sets/version/v2.31.0?image=registry%2Fcheckout"]],
    ["V2.3", ["/sets/version/v2.31.0?image=registry%2Fcheckout", "/sets/version/v2.30.4?image=registry%2Fcheckout"]],
    ["checkout", []],
  ])("lead %s to their pages", (wanted, hrefs) => {
    expect(listVersions(answer, wanted).map(({ href }) => href)).toEqual(hrefs);
  });
});

it.each([
  ["who may abort", "abort"],
  ["Who can abort in payments?", "abort in payments"],
  ["who may", ""],
  ["who", undefined],
  ["whomever may abort", undefined],
  ["abort checkout", undefined],
])("reads %j as a question for the permissions: %j", (wanted, question) => {
  expect(readWhoMay(wanted)).toBe(question);
});
