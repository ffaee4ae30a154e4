import { describe, expect, it } from "vitest";
import { extractPodTemplate, parseReplicaSet } from "./replica-set-object.ts";

function templateOf(template: unknown): unknown {
  const metadata = { name: "app-1", uid: "u", resourceVersion: "1" };
  const parsed = parseReplicaSet({ kind: "ReplicaSet", metadata, spec: { template } });
  if (!parsed.ok) throw new Error(parsed.reason);
  return extractPodTemplate(parsed.value);
}

describe("extractPodTemplate", () => {
  it("leaves out the label of the hash: a template is the same in every ReplicaSet that has it", () => {
    const labels = { app: "shop", "rollouts-pod-template-hash": "abc", "pod-template-hash": "def" };
    const template = { metadata: { labels, annotations: { a: "1" } }, spec: { containers: [{ name: "app" }] } };
    expect(templateOf(template)).toEqual({
      ...template,
      metadata: { labels: { app: "shop" }, annotations: { a: "1" } },
    });
    expect(labels).toHaveProperty("pod-template-hash");
  });

  it.each([{ spec: {} }, { metadata: {} }, { metadata: null }, { metadata: { labels: null } }])(
    "takes %j",
    (template) => {
      expect(templateOf(template)).toEqual(template);
    },
  );

  it("knows when there is none", () => {
    expect(templateOf(undefined)).toBeUndefined();
  });
});
