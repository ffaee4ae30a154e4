import { expect, it } from "vitest";
import { type ClusterFacts, clusterRules } from "./cluster-rules.ts";
import { applyRules } from "./rule.ts";

const since = "2026-11-27T01:00:00.000Z";
const limited = { username: "system:serviceaccount:gatehouse:gatehouse-recorder", unlimited: null };
const unlimited = {
  username: "system:serviceaccount:gatehouse:gatehouse-web",
  unlimited: { right: 'impersonate users "system:kube-controller-manager"', since },
};

it.each<{ name: string; facts: ClusterFacts; found: string[] }>([
  { name: "no account that was looked at", facts: { accounts: [], allowsAnyUser: false }, found: [] },
  { name: "an account with named rights", facts: { accounts: [limited], allowsAnyUser: false }, found: [] },
  {
    name: "the same, of a config that would allow more",
    facts: { accounts: [limited], allowsAnyUser: true },
    found: [],
  },
  {
    name: "an account that can be anybody",
    facts: { accounts: [limited, unlimited], allowsAnyUser: false },
    found: [`critical: Gatehouse's token can be anybody (${unlimited.username}) since ${since}`],
  },
  {
    name: "one that the config asks for",
    facts: { accounts: [unlimited], allowsAnyUser: true },
    found: [`warning: Gatehouse's token can be anybody (${unlimited.username}) since ${since}`],
  },
])("token-unlimited, $name", ({ facts, found }) => {
  const texts = applyRules(clusterRules, facts, []).map(
    ({ found: { severity, title, key, since: from } }) => `${severity}: ${title} (${key}) since ${from}`,
  );
  expect(texts).toEqual(found);
});
