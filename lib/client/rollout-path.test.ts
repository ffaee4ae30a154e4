import { describe, expect, it } from "vitest";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { parseObjectRef } from "#lib/domain/delivery/object-ref.ts";

describe("rollout paths", () => {
  it("escapes every segment", () => {
    expect(rolloutHref({ cluster: "a", namespace: "b", kind: "Rollout", name: "c/d?e" }, "audit")).toBe(
      "/rollouts/a/b/Rollout/c%2Fd%3Fe?tab=audit",
    );
  });

  it.each(["", "a/b/Rollout", "a/b/Rollout/c/d", "a//Rollout/c"])("refuses the id %j", (id) => {
    expect(parseObjectRef(id)).toBeUndefined();
  });
});
