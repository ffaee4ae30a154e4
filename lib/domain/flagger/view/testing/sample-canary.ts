import { type CanaryObject, parseCanary } from "#lib/domain/flagger/objects/canary-object.ts";

/** Parses a Canary of which only spec and status matter. */
export function canaryOf({
  spec,
  status,
  metadata = {},
}: {
  spec: Record<string, unknown>;
  status?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
}): CanaryObject {
  const parsed = parseCanary({
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name: "podinfo", namespace: "test", uid: "u1", resourceVersion: "1", ...metadata },
    spec,
    status,
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}
