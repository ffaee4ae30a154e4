import { randomUUID } from "node:crypto";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { type ActingWorld, clusterName, type TestRollout } from "#test/acting-world.ts";

/** A Canary of Flagger in the sandbox, as recorded. */
export type TestCanary = Pick<TestRollout, "id" | "path" | "look">;

/** Adds a Canary whose promotion waits at Gatehouse's gate. Its target is a Service, which has no pods to judge. */
export async function addWaitingCanary({ owner, sandbox }: ActingWorld): Promise<TestCanary> {
  const namespace = `ns-${randomUUID().slice(0, 8)}`;
  const { store } = sandbox;
  const manager = { manager: "flagger" };
  store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, manager);
  const url = `https://gatehouse.example/hooks/flagger/${clusterName}/confirm-promotion`;
  const created = store.create(
    "canaries",
    {
      apiVersion: "flagger.app/v1beta1",
      kind: "Canary",
      metadata: { namespace, name: "web" },
      spec: {
        provider: "nginx",
        targetRef: { apiVersion: "v1", kind: "Service", name: "web" },
        analysis: {
          ...{ interval: "10s", threshold: 5, maxWeight: 60, stepWeight: 20 },
          webhooks: [{ name: "promotion", type: "confirm-promotion", url }],
        },
      },
    },
    manager,
  );
  const status = { phase: "WaitingPromotion", canaryWeight: 60, lastAppliedSpec: "B", lastPromotedSpec: "A" };
  const object = store.update("canaries", { ...created, status }, { ...manager, subresource: "status" });
  const parsed = providerOfKind("Canary").parse(object);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { metadata, viewDigest, runKey } = parsed.value;
  const path: RolloutPath = { cluster: clusterName, namespace, kind: "Canary", name: "web" };
  const id = rolloutIdOf({ ...path, uid: metadata.uid });
  await owner.query(
    `INSERT INTO source (id, cluster, resource, kind, namespace, state, watch_contact_at, read_contact_at, stale_after_ms)
     VALUES ($1, $2, 'canaries', 'Canary', '', 'live', now(), now(), 3600000) ON CONFLICT DO NOTHING`,
    [`${clusterName}/canaries`, clusterName],
  );
  await owner.query(
    `INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at)
     VALUES ($1, $2, $3, 'Canary', 'web', $4, 'WaitingPromotion', '', 0, $5, $6, $7, $8, now())`,
    [
      ...[id, clusterName, namespace, metadata.uid, viewDigest, runKey, metadata.resourceVersion],
      JSON.stringify(object),
    ],
  );
  return { id, path, look: async () => ({ viewDigest, uid: metadata.uid, revisionKey: runKey }) };
}
