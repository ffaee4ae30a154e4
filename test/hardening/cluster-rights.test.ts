import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

const Role = z.object({
  kind: z.literal("ClusterRole"),
  rules: z.array(z.object({ resources: z.array(z.string()), verbs: z.array(z.string()) })),
});
type Rule = z.infer<typeof Role>["rules"][number];

function readRules(file: string): Rule[] {
  const text = readFileSync(join(import.meta.dirname, "../../deploy", file), "utf8");
  const rules = parseAllDocuments(text).flatMap((document) => Role.safeParse(document.toJSON()).data?.rules ?? []);
  expect(rules.length).toBeGreaterThan(0);
  return rules;
}

const names = (rules: Rule[], key: keyof Rule) => [...new Set(rules.flatMap((rule) => rule[key]))].toSorted();

// The chart's rules are these: scripts/chart.test.ts.
describe("the rights of Gatehouse's own account", () => {
  it("are to read, and no Secret, ConfigMap or service account token is among what it reads", () => {
    const rules = readRules("rbac-read.yaml");
    expect(names(rules, "verbs")).toEqual(["get", "list", "watch"]);
    expect(names(rules, "resources").filter((name) => /\*|secret|configmap|serviceaccount|\//.test(name))).toEqual([]);
  });

  it("with the hold are to patch rollouts too, and nothing else", () => {
    const rules = readRules("rbac-hold.yaml");
    expect(rules).toEqual([expect.objectContaining({ resources: ["rollouts"], verbs: ["get", "patch"] })]);
  });

  it("for the access page are to review a person's rights, and nothing else", () => {
    const rules = readRules("rbac-review.yaml");
    expect(rules).toEqual([expect.objectContaining({ resources: ["subjectaccessreviews"], verbs: ["create"] })]);
  });
});
