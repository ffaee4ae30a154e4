import { describe, expect, it } from "vitest";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";

const key = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout", uid: "u-1" };

describe("rolloutIdOf", () => {
  it("is a version 5 UUID, the same for the same key", () => {
    expect(rolloutIdOf(key)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(rolloutIdOf({ ...key })).toBe(rolloutIdOf(key));
  });

  it.each(["cluster", "namespace", "kind", "name", "uid"] as const)("differs where %s differs", (field) => {
    expect(rolloutIdOf({ ...key, [field]: "other" })).not.toBe(rolloutIdOf(key));
  });

  it("does not run names together", () => {
    expect(rolloutIdOf({ ...key, namespace: "a", name: "bc" })).not.toBe(
      rolloutIdOf({ ...key, namespace: "ab", name: "c" }),
    );
  });
});
