import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { ActionRequest } from "#lib/contract/action.ts";
import { actOnSubject } from "#lib/server/acting/act/act-on-subject.ts";
import { actingTools } from "#test/acting-tools.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

export type Json = Record<string, unknown>;
export type Kind = "AnalysisRun" | "Experiment";

export let world: ActingWorld;

/** Starts the world before the tests of a file, and restores it after each. */
export function startSubjectWorld(): void {
  beforeAll(async () => {
    world = await createActingWorld();
  });
  afterEach(() => {
    world.setIntercept(undefined);
    world.setPolicies({});
    world.setAccess("act");
    world.setConfigStatus({ state: "ok" });
  });
  afterAll(() => world.close());
}

export const manager = { manager: "test" };
export const plurals = { AnalysisRun: "analysisruns", Experiment: "experiments" } as const;

export type Subject = {
  kind: Kind;
  uid: string;
  name: string;
  namespace: string;
  read(): Json & { spec: Json; status: Json };
  set(status: Json): void;
};

/** Adds a run or an Experiment to the sandbox and to the database; without a rollout, it has no owner. */
export async function addSubject({
  rollout,
  kind = "AnalysisRun",
  phase = "Running",
  spec = {},
  experiment,
}: {
  rollout?: TestRollout;
  kind?: Kind;
  phase?: string;
  spec?: Json;
  /** For a run: the Experiment that owns it. */
  experiment?: Pick<Subject, "name" | "uid" | "namespace">;
} = {}): Promise<Subject> {
  const { store } = world.sandbox;
  const name = `run-${randomUUID().slice(0, 8)}`;
  const namespace = rollout?.path.namespace ?? experiment?.namespace ?? `ns-${name}`;
  if (rollout === undefined && experiment === undefined)
    store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, manager);
  const plural = plurals[kind];
  const owner = experiment === undefined ? ownerOf(rollout) : { kind: "Experiment", ...experiment };
  const metrics = [{ name: "m", provider: { web: { url: "http://x" } } }];
  const templates = [{ name: "t", selector: {}, template: { spec: { containers: [{ name: "a", image: "x:1" }] } } }];
  store.create(
    plural,
    {
      apiVersion: "argoproj.io/v1alpha1",
      kind,
      metadata: { name, namespace, ...(owner === undefined ? {} : { ownerReferences: [referenceTo(owner)] }) },
      spec: { ...(kind === "AnalysisRun" ? { metrics } : { templates }), ...spec },
      status: { phase },
    },
    manager,
  );
  const read = () => {
    const found = store.get(plural, namespace, name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found as unknown as ReturnType<Subject["read"]>;
  };
  const { uid, resourceVersion } = (read().metadata ?? {}) as { uid: string; resourceVersion: string };
  const owned = [owner?.kind, owner?.name, owner?.uid];
  if (kind === "AnalysisRun")
    await world.owner.query(
      `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
         created_at, updated_at, owner_kind, owner_name, owner_uid)
       VALUES ($1, $2, 'prod-eu', $3, $4, 'Step', $5, '', '{"metrics":[]}', $6, now(), now(), $7, $8, $9)`,
      [uid, rollout?.id ?? randomUUID(), namespace, name, phase, resourceVersion, ...owned],
    );
  else
    await world.owner.query(
      `INSERT INTO experiment (uid, rollout_id, cluster, namespace, name, phase, message, object, resource_version,
         created_at, updated_at, owner_kind, owner_name)
       VALUES ($1, $2, 'prod-eu', $3, $4, $5, '', '{}', $6, now(), now(), $7, $8)`,
      [uid, rollout?.id ?? null, namespace, name, phase, resourceVersion, owned[0], owned[1]],
    );
  await world.owner.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ('prod-eu') ON CONFLICT DO NOTHING)
     INSERT INTO source (id, cluster, resource, kind, namespace, state, watch_contact_at, read_contact_at, stale_after_ms)
     VALUES ('prod-eu/' || $1, 'prod-eu', $1, $2, '', 'live', now(), now(), 3600000) ON CONFLICT DO NOTHING`,
    [plural, kind],
  );
  const set = (status: Json) => {
    store.update(plural, { ...store.get(plural, namespace, name), status } as never, manager);
  };
  return { kind, uid, name, namespace, read, set };
}

type Owner = { kind: string; name: string; uid: string };

function ownerOf(rollout: TestRollout | undefined): Owner | undefined {
  return rollout === undefined
    ? undefined
    : { kind: "Rollout", name: rollout.path.name, uid: rollout.read().metadata.uid };
}

const referenceTo = ({ kind, name, uid }: Owner) => ({
  apiVersion: "argoproj.io/v1alpha1",
  kind,
  name,
  uid,
  controller: true,
});

export async function act(
  subject: Subject,
  request: Partial<ActionRequest> & { rollout?: TestRollout; actor?: ReturnType<typeof actorOf> } = {},
) {
  const { rollout, actor = actorOf("operator"), ...more } = request;
  return actOnSubject({
    ctx: world.contextOf(actor),
    kind: subject.kind,
    input: {
      uid: subject.uid,
      action: "terminate",
      reason: "known noise",
      expect: rollout === undefined ? { viewDigest: "", uid: subject.uid } : await rollout.look(),
      ...more,
    },
  });
}

export async function addRunning(kind: Kind = "AnalysisRun"): Promise<{ rollout: TestRollout; subject: Subject }> {
  const rollout = await world.addRollout({ status: { pauseConditions: undefined, controllerPause: false } });
  return { rollout, subject: await addSubject({ rollout, kind }) };
}

export const { patches, follow, stateOf, age, loseAnswers } = actingTools(() => world);
