import { describe, expect, it } from "vitest";
import { parseFieldSelector, parseLabelSelector } from "./selectors.ts";
import type { KubeObject } from "./store-types.ts";

function object(labels: Record<string, string>): KubeObject {
  const metadata = { name: "a", namespace: "ns", uid: "u", resourceVersion: "1", creationTimestamp: "", labels };
  return { apiVersion: "v1", kind: "Pod", metadata };
}

const labelCases: { selector: string; labels: Record<string, string>; matches: boolean }[] = [
  { selector: "", labels: {}, matches: true },
  { selector: "app=x", labels: { app: "x" }, matches: true },
  { selector: "app==x", labels: { app: "x" }, matches: true },
  { selector: "app=x", labels: { app: "y" }, matches: false },
  { selector: "app=x", labels: {}, matches: false },
  { selector: "app=", labels: { app: "" }, matches: true },
  { selector: "app!=x", labels: {}, matches: true },
  { selector: "app!=x", labels: { app: "x" }, matches: false },
  { selector: "app in (x, y)", labels: { app: "y" }, matches: true },
  { selector: "app in (x,y),tier=web", labels: { app: "y", tier: "db" }, matches: false },
  { selector: "app notin (x,y)", labels: { app: "z" }, matches: true },
  { selector: "app notin (x,y)", labels: {}, matches: true },
  { selector: "app", labels: { app: "" }, matches: true },
  { selector: "!app", labels: { app: "x" }, matches: false },
  { selector: "example.com/role=x", labels: { "example.com/role": "x" }, matches: true },
  { selector: "toString", labels: {}, matches: false },
];

describe("parseLabelSelector", () => {
  it.each(labelCases)("'$selector' on $labels is $matches", ({ selector, labels, matches }) => {
    expect(parseLabelSelector(selector).matches(object(labels))).toBe(matches);
  });

  it.each(["a===b!", "=x", "a in x", "a,,b", "a b"])("refuses '%s' with 400", (selector) => {
    expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ code: 400 }));
  });
});

describe("parseFieldSelector", () => {
  it.each([
    { selector: "metadata.name=a", matches: true },
    { selector: "metadata.name!=a", matches: false },
    { selector: "metadata.namespace==ns,metadata.name=a", matches: true },
    { selector: "metadata.namespace=other", matches: false },
    { selector: "", matches: true },
  ])("'$selector' is $matches", ({ selector, matches }) => {
    expect(parseFieldSelector(selector).matches(object({}))).toBe(matches);
  });

  it("knows further fields where the kind has them, a missing one as empty", () => {
    const selector = parseFieldSelector("kind=Pod,status.phase=", ["kind", "status.phase"]);
    expect(selector.matches(object({}))).toBe(true);
  });

  it("names a field that cannot be selected", () => {
    expect(() => parseFieldSelector("status.phase=Paused")).toThrow(
      expect.objectContaining({ code: 400, message: "field label not supported: status.phase" }),
    );
  });
});
