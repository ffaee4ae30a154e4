import { describe, expect, it } from "vitest";
import { cleanCopy } from "./version-template.ts";

const original = {
  metadata: { labels: { app: "web", tier: "front" } },
  spec: {
    containers: [
      {
        name: "web",
        image: "web:1",
        args: ["--database=orders-primary", "orders-primary"],
        envFrom: [{ configMapRef: { name: "web-config" } }],
      },
    ],
    volumes: [{ name: "tmp", emptyDir: {} }],
    terminationGracePeriodSeconds: 0,
  },
};

/** As Flagger copies it. */
const copy = {
  metadata: { labels: { app: "web-primary", tier: "front" }, annotations: { "flagger-id": "7b1c" } },
  spec: {
    ...original.spec,
    containers: [{ ...original.spec.containers[0], envFrom: [{ configMapRef: { name: "web-config-primary" } }] }],
  },
};

describe("cleanCopy", () => {
  it("gives the original back", () => {
    expect(cleanCopy(copy, original)).toEqual(original);
  });

  it("keeps what differs", () => {
    const older = { ...copy, spec: { ...copy.spec, containers: [{ name: "web", image: "web:0" }] } };
    expect(cleanCopy(older, original)).toEqual({
      ...original,
      spec: { ...original.spec, containers: [{ name: "web", image: "web:0" }] },
    });
  });

  it("keeps other annotations, and empty maps", () => {
    const annotated = { metadata: { annotations: { "flagger-id": "7b1c", team: "a" } }, spec: { securityContext: {} } };
    expect(cleanCopy(annotated, {})).toEqual({
      metadata: { annotations: { team: "a" } },
      spec: { securityContext: {} },
    });
  });

  it("takes any value", () => {
    expect(cleanCopy(null, undefined)).toBeNull();
    expect(cleanCopy(["a-primary", 0, false], null)).toEqual(["a", 0, false]);
  });
});
