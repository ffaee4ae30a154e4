import { expect, it } from "vitest";
import { apiVersionOfKind } from "#lib/server/clusters/sources/watched-resources.ts";
import { isKeptUnlinked } from "./link-events.ts";

it("keeps events without a rollout, except those about Kubernetes' own kinds", () => {
  const dropped = [...apiVersionOfKind.keys()].filter((kind) => !isKeptUnlinked(kind));
  expect(dropped.toSorted()).toEqual(["DaemonSet", "Deployment", "Pod", "ReplicaSet"]);
});
