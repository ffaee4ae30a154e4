import { describe, expect, it } from "vitest";
import { createTeamFinder, findTeam, isInTeam, type Labels, type Team } from "./find-team.ts";
import { everywhere, type Scope, type Target } from "./rights.ts";

const team = (name: string, scope: Partial<Scope> = {}, labels: Labels = {}): Team => ({
  name,
  groups: [],
  scope: { ...everywhere, ...scope },
  labels,
});
const checkout: Target & { labels: Labels } = {
  cluster: "prod",
  namespace: "payments",
  kind: "Rollout",
  name: "checkout",
  labels: { team: "payments" },
};

describe("findTeam", () => {
  it.each<{ name: string; teams: Team[]; rollout?: Partial<typeof checkout>; owner: string | undefined }>([
    { name: "no team", teams: [], owner: undefined },
    { name: "a team for everything", teams: [team("all")], owner: "all" },
    { name: "another cluster", teams: [team("lab", { clusters: ["lab"] })], owner: undefined },
    { name: "a pattern of namespaces", teams: [team("pay", { namespaces: ["pay*"] })], owner: "pay" },
    { name: "another namespace", teams: [team("shop", { namespaces: ["shop"] })], owner: undefined },
    { name: "a kind and a name", teams: [team("canaries", { rollouts: ["Canary/*"] })], owner: undefined },
    { name: "a label", teams: [team("pay", {}, { team: "payments" })], owner: "pay" },
    { name: "another value of the label", teams: [team("shop", {}, { team: "shop" })], owner: undefined },
    { name: "one of two labels", teams: [team("pay", {}, { team: "payments", tier: "1" })], owner: undefined },
    {
      name: "a label that every object inherits",
      teams: [team("odd", {}, { constructor: String(Object) })],
      owner: undefined,
    },
    {
      name: "a label and a scope, of which only the label matches",
      teams: [team("pay", { clusters: ["lab"] }, { team: "payments" })],
      owner: undefined,
    },
    {
      name: "a rollout without the label",
      teams: [team("pay", {}, { team: "" })],
      rollout: { labels: {} },
      owner: undefined,
    },
    {
      name: "two teams: the first",
      teams: [team("first"), team("second", { namespaces: ["payments"] })],
      owner: "first",
    },
    {
      name: "two teams, of which the first does not match",
      teams: [team("first", { namespaces: ["shop"] }), team("second")],
      owner: "second",
    },
  ])("$name", ({ teams, rollout, owner }) => {
    expect(findTeam(teams, { ...checkout, ...rollout })?.name).toBe(owner);
    const find = createTeamFinder(teams);
    // Others of the same namespace, and of others, change nothing.
    find({ ...checkout, name: "cart", labels: {} });
    find({ ...checkout, namespace: "shop", cluster: "lab" });
    expect(find({ ...checkout, ...rollout })?.name).toBe(owner);
  });
});

it.each([
  { groups: ["a", "b"], own: ["b"], isIn: true },
  { groups: ["a"], own: ["b"], isIn: false },
  { groups: [], own: ["b"], isIn: false },
  { groups: ["a"], own: [], isIn: false },
  { groups: ["*"], own: ["b"], isIn: false },
])("a person of $own is in the team of $groups: $isIn", ({ groups, own, isIn }) => {
  expect(isInTeam({ groups }, own)).toBe(isIn);
});
