import { describe, expect, it } from "vitest";
import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";
import type { SeenTermination } from "#lib/domain/oversight/provider-reports.ts";
import { judgeTermination } from "./judge-termination.ts";

const observedAt = Date.parse("2026-11-20T12:00:00Z");
const minute = 60_000;
const by = (manager: string, at: string | null = "2026-11-20T11:59:59Z"): FieldHolder => ({ manager, at });
const watched = Date.parse("2026-11-20T11:00:00Z");

type Case = { name: string; expected: string } & Partial<SeenTermination>;
const cases: Case[] = [
  { name: "kubectl ended it", holders: [by("kubectl-patch")], expected: "somebody kubectl-patch" },
  { name: "the controller ended it", holders: [by("rollouts-controller")], expected: "controller" },
  {
    name: "the controller ended what nobody owns",
    holders: [by("rollouts-controller")],
    isOwned: false,
    expected: "controller",
  },
  {
    name: "the controller and another both hold it",
    holders: [by("kubectl"), by("rollouts-controller")],
    expected: "controller",
  },
  { name: "Gatehouse was asked to", holders: [by("gatehouse")], askedAt: [observedAt - 500], expected: "gatehouse" },
  { name: "another Gatehouse ended it", holders: [by("gatehouse")], expected: "somebody gatehouse" },
  {
    name: "Gatehouse was asked to long before it was seen",
    holders: [by("gatehouse")],
    askedAt: [observedAt - 16 * minute],
    expected: "gatehouse",
  },
  {
    name: "Gatehouse was asked to and kubectl came first",
    holders: [by("kubectl-patch")],
    askedAt: [observedAt - 500],
    expected: "somebody kubectl-patch",
  },
  { name: "not told, and Gatehouse was asked to", holders: [], askedAt: [observedAt - 500], expected: "gatehouse" },
  { name: "not told: the controller could have", holders: [], expected: "unclear" },
  { name: "not told: the controller could not have", holders: [], isOwned: false, expected: "somebody unknown" },
  {
    name: "not told, the controller could not have, and it was never seen without",
    holders: [],
    isOwned: false,
    isFirstSight: true,
    expected: "unclear",
  },
  {
    name: "two clients applied the same",
    holders: [by("helm"), by("argocd-controller")],
    expected: "somebody unknown",
  },
  {
    name: "one client holds it twice",
    holders: [by("helm"), by("helm", null)],
    expected: "somebody helm",
  },
  {
    name: "first seen ended, within the watch",
    holders: [by("kubectl-patch")],
    isFirstSight: true,
    expected: "somebody kubectl-patch",
  },
  {
    name: "first seen ended, before the rollout was watched",
    holders: [by("kubectl-patch", "2026-11-20T10:59:59Z")],
    isFirstSight: true,
    expected: "unclear",
  },
  {
    name: "first seen ended, at a time that is not told",
    holders: [by("kubectl-patch", null)],
    isFirstSight: true,
    expected: "unclear",
  },
  {
    name: "created so",
    holders: [by("kubectl-create", "2026-11-20T11:30:00Z")],
    isFirstSight: true,
    expected: "unclear",
  },
  {
    name: "first seen ended, and no rollout of it is watched",
    holders: [by("kubectl-patch")],
    isFirstSight: true,
    isOwned: false,
    watchedSince: null,
    expected: "unclear",
  },
];

describe("judgeTermination", () => {
  it.each(cases)("$name", ({ name: _name, expected, ...seenObject }) => {
    const verdict = judgeTermination({
      holders: [],
      isFirstSight: false,
      observedAt,
      createdAt: Date.parse("2026-11-20T11:30:00Z"),
      watchedSince: watched,
      isOwned: true,
      askedAt: [],
      ...seenObject,
    });
    expect(verdict.by === "somebody" ? `somebody ${verdict.client ?? "unknown"}` : verdict.by).toBe(expected);
  });
});
