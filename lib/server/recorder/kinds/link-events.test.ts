import { expect, it } from "vitest";
import { apiVersionOfKind } from "#lib/server/sources/watched-resources.ts";
import { isKeptUnlinked } from "./link-events.ts";

// Kubernetes' own groups have no domain (`v1`, `apps/`); a controller's group has one.
it.each([...apiVersionOfKind])(
  "keeps events about a %s of %s without a rollout only if it is a controller's own kind",
  (kind, apiVersion) => {
    expect(isKeptUnlinked(kind)).toBe(apiVersion.includes("."));
  },
);
