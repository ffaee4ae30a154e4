import { afterAll, afterEach, beforeAll } from "vitest";
import { actingTools } from "#test/acting-tools.ts";
import { type ActingWorld, type ActOptions, createActingWorld, type TestRollout } from "#test/acting-world.ts";

export type Json = Record<string, unknown>;

export let world: ActingWorld;

/** Starts the world before the tests of a file, and restores it after each. */
export function startTemplateWorld(): void {
  beforeAll(async () => {
    world = await createActingWorld();
  });
  afterEach(() => {
    world.setIntercept(undefined);
    world.setPolicies({});
    world.setConfigStatus({ state: "ok" });
  });
  afterAll(() => world.close());
}

export const secret = "hunter2-and-more";
export const template = (image: string): Json => ({
  metadata: { labels: { app: "checkout" } },
  spec: { containers: [{ name: "app", image, env: [{ name: "DB_PASSWORD", value: secret }] }] },
});
export const selector = { matchLabels: { app: "checkout" } };
export const manager = { manager: "test" };

export function addReplicaSet(
  rollout: TestRollout,
  { revision, hash, image }: { revision: number; hash: string; image: string },
) {
  const { namespace, name } = rollout.path;
  const labels = { app: "checkout", "rollouts-pod-template-hash": hash };
  const { spec } = template(image);
  world.sandbox.store.create(
    "replicasets",
    {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: { "rollout.argoproj.io/revision": String(revision) },
        ownerReferences: [
          {
            apiVersion: "argoproj.io/v1alpha1",
            kind: "Rollout",
            name,
            uid: rollout.read().metadata.uid,
            controller: true,
          },
        ],
      },
      spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    },
    manager,
  );
}

/** Adds a rollout at revision 2 ("new"), with revision 1 ("old") left. */
export async function addReleased(spec: Json = {}): Promise<TestRollout> {
  const rollout = await world.addRollout({ spec: { template: template("shop/app:2"), selector, ...spec } });
  addReplicaSet(rollout, { revision: 1, hash: "old", image: "shop/app:1" });
  addReplicaSet(rollout, { revision: 2, hash: "new", image: "shop/app:2" });
  return rollout;
}

/** Adds a rollout whose template is in a Deployment. */
export async function addReferring(): Promise<TestRollout> {
  const workloadRef = { apiVersion: "apps/v1", kind: "Deployment", name: "checkout-app" };
  const rollout = await addReleased({ template: undefined, workloadRef });
  world.sandbox.store.create(
    "deployments",
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "checkout-app", namespace: rollout.path.namespace },
      spec: { replicas: 0, selector, template: template("shop/app:2") },
    },
    manager,
  );
  return rollout;
}

export const deploymentOf = ({ path }: TestRollout) => {
  const found = world.sandbox.store.get("deployments", path.namespace, "checkout-app");
  if (found === undefined) throw new Error("no Deployment");
  return found;
};
export const imageIn = (spec: unknown): string => {
  const { template: found } = spec as { template: { spec: { containers: { image: string }[] } } };
  return found.spec.containers[0]?.image ?? "";
};
export const imageOf = (rollout: TestRollout) => imageIn(rollout.read().spec);

export const { patches, follow, stateOf, age, loseAnswers } = actingTools(() => world);
export const undo = (rollout: TestRollout, more: Partial<ActOptions> = {}) =>
  world.act({ rollout, action: "undo", ...more });
export const setImage = (rollout: TestRollout, image: string, more: Partial<ActOptions> = {}) =>
  world.act({ rollout, action: "set-image", params: { container: "app", image }, ...more });

/** Returns everything that is stored of actions, as text. */
export async function readStored(): Promise<string> {
  const { rows } = await world.owner.query(
    `SELECT (SELECT string_agg(a::text, ' ') FROM action a) || (SELECT string_agg(e.entry, ' ') FROM audit_entry e)
       || (SELECT string_agg(content, ' ') FROM evidence) || coalesce((SELECT string_agg(p::text, ' ') FROM approval p), '') AS text`,
  );
  return rows[0].text;
}
