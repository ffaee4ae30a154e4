import { setTimeout as sleep } from "node:timers/promises";
import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";
import type { FaultRequest } from "#sandbox/apiserver/faults.ts";
import type { KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import type { SandboxServer } from "#test/sandbox-server.ts";
import { createRandom } from "#test/seeded-random.ts";
import { longestLifeMs, type PlannedRun, plannedSpec, plannedStatus, planRun } from "./plan-run.ts";
import {
  group,
  namespaceOf,
  type RunSize,
  rolloutStatus,
  sampleRollout,
  sampleRun,
  timeText,
  withStatus,
} from "./sample-objects.ts";

const manager = { manager: "bench" };
const resources = watchedResources.map(({ resource }) => resource);

/** A change of one object, and when it was made (milliseconds since 1970). `seq` counts the changes of the object. */
export type Change = {
  kind: "Rollout" | "AnalysisRun";
  name: string;
  seq: number;
  resourceVersion: string;
  at: number;
};

/** Commands of the benches to the process that plays the cluster. */
export type SandboxCommands = {
  fill(input: { rollouts: number; runs: number; size: RunSize }): Promise<{ bytes: number }>;
  change(input: {
    perSecond: number;
    seconds: number;
    objects: number;
  }): Promise<{ changes: Change[]; behindMs: number }>;
  churn(input: { from: number; runs: number; perSecond: number; dropsPerMinute: number; seed: number }): Promise<{
    drops: number;
    /** The longest life of a run, and how many lived longer than planned. */
    longestMs: number;
    late: number;
  }>;
  /** Objects for `change`: each run has one metric without a measurement. */
  addLiveRuns(input: { objects: number }): Promise<void>;
  /** Adds any object with its status, or replaces it. Resolves with its uid. */
  putObject(input: { resource: string; object: unknown }): Promise<{ uid: string }>;
  fault(input: FaultRequest): Promise<void>;
  watches(input: Record<string, never>): Promise<{ now: Record<string, number>; most: Record<string, number> }>;
};

export function createSandboxDriver(sandbox: SandboxServer): SandboxCommands {
  const { store } = sandbox;
  let rounds = 0;
  const most: Record<string, number> = {};
  const count = (): Record<string, number> =>
    Object.fromEntries(resources.map((resource) => [resource, sandbox.server.watchCount(resource)]));
  setInterval(() => {
    for (const [resource, open] of Object.entries(count())) most[resource] = Math.max(most[resource] ?? 0, open);
  }, 20).unref();
  for (let index = 0; index < 20; index++)
    store.create(
      "namespaces",
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespaceOf(index) } },
      manager,
    );

  return {
    async fill({ rollouts, runs, size }) {
      let bytes = 0;
      for (let index = 0; index < rollouts; index++)
        bytes += JSON.stringify(store.importObject("rollouts", sampleRollout(index))).length;
      for (let index = 0; index < runs; index++) {
        bytes += JSON.stringify(store.importObject("analysisruns", sampleRun(index, size))).length;
        if (index % 500 === 0) await sleep(0);
      }
      return { bytes };
    },
    addLiveRuns: async ({ objects }) => addLiveRuns(sandbox, objects),
    putObject: async ({ resource, object }) => ({
      uid: store.importObject(resource, object as KubeObjectInput).metadata.uid,
    }),
    fault: async (input) => sandbox.fault(input),
    change: async (input) => {
      const from = rounds;
      // Setting a value again changes nothing.
      rounds += Math.ceil((input.perSecond * input.seconds) / 2 / input.objects);
      return changeObjects(sandbox, { ...input, from });
    },
    churn: (input) => churnRuns(sandbox, input),
    watches: async () => ({ now: count(), most }),
  };
}

/** Changes rollouts and analysis runs in turn, `perSecond` in all; each object changes again after all the others. */
async function changeObjects(
  { store }: SandboxServer,
  { perSecond, seconds, objects, from }: Parameters<SandboxCommands["change"]>[0] & { from: number },
): Promise<{ changes: Change[]; behindMs: number }> {
  const changes: Change[] = [];
  const began = performance.now();
  let behindMs = 0;
  for (let index = 0; index < perSecond * seconds; index++) {
    const due = began + index * (1000 / perSecond);
    if (due > performance.now()) await sleep(due - performance.now());
    else behindMs = Math.max(behindMs, performance.now() - due);
    const at = Math.floor(index / 2) % objects;
    const seq = from + Math.floor(index / 2 / objects) + 1;
    const isRun = index % 2 === 1;
    const [resource, name] = isRun
      ? (["analysisruns", `live-${at}`] as const)
      : (["rollouts", `rollout-${at}`] as const);
    const before = store.get(resource, namespaceOf(at), name);
    if (before === undefined) throw new Error(`${name} is gone`);
    const status = isRun ? liveStatus(seq) : rolloutStatus(seq);
    const now = Date.now();
    // Runs have no status subresource.
    const options = isRun ? manager : ({ ...manager, subresource: "status" } as const);
    const after = store.update(resource, withStatus(before, status), options);
    changes.push({
      kind: isRun ? "AnalysisRun" : "Rollout",
      name,
      seq,
      resourceVersion: after.metadata.resourceVersion,
      at: now,
    });
  }
  return { changes, behindMs };
}

function addLiveRuns({ store }: SandboxServer, objects: number): void {
  for (let index = 0; index < objects; index++)
    store.importObject("analysisruns", {
      apiVersion: group,
      kind: "AnalysisRun",
      metadata: { name: `live-${index}`, namespace: namespaceOf(index) },
      spec: plannedSpec(planRun(0)),
      status: liveStatus(0),
    });
}

function liveStatus(count: number): Record<string, unknown> {
  const newest = Math.min(10, count);
  return {
    phase: "Running",
    startedAt: timeText(Date.now() - 60_000),
    metricResults: [
      {
        name: "metric-0",
        phase: "Running",
        count,
        successful: count,
        measurements: Array.from({ length: newest }, (_, index) => {
          const seq = count - newest + index + 1;
          const time = timeText(1_790_000_000_000 + seq * 1000);
          return { phase: "Successful", value: `[${seq}]`, startedAt: time, finishedAt: time };
        }),
      },
    ],
  };
}

/** Creates, measures, finishes and deletes runs within 0.2 s, while their watch is dropped at random. */
async function churnRuns(
  sandbox: SandboxServer,
  { from, runs, perSecond, dropsPerMinute, seed }: Parameters<SandboxCommands["churn"]>[0],
): Promise<{ drops: number; longestMs: number; late: number }> {
  const lives: Promise<number>[] = [];
  const done = new AbortController();
  const dropping = dropAtRandom(sandbox, { perMinute: dropsPerMinute, seed, signal: done.signal });
  const began = performance.now();
  for (let index = 0; index < runs; index++) {
    const due = began + index * (1000 / perSecond);
    if (due > performance.now()) await sleep(due - performance.now());
    const life = playRun(sandbox, planRun(from + index), from + index);
    // Awaited later with all the others.
    life.catch(() => {});
    lives.push(life);
  }
  const lengths = await Promise.all(lives);
  done.abort();
  const drops = await dropping;
  return {
    drops,
    longestMs: Math.max(...lengths),
    late: lengths.filter((length) => length > longestLifeMs + 10).length,
  };
}

async function playRun({ store }: SandboxServer, run: PlannedRun, index: number): Promise<number> {
  const began = performance.now();
  const startedAt = Date.now();
  const namespace = namespaceOf(index);
  const metadata = { name: run.name, namespace };
  store.create("analysisruns", { apiVersion: group, kind: "AnalysisRun", metadata, spec: plannedSpec(run) }, manager);
  for (const stage of run.stages) {
    await sleep(Math.max(0, stage.atMs - (performance.now() - began)));
    const before = store.get("analysisruns", namespace, run.name);
    if (before === undefined) throw new Error(`${run.name} is gone`);
    store.update("analysisruns", withStatus(before, plannedStatus(stage, startedAt)), manager);
  }
  await sleep(Math.max(0, run.deleteAtMs - (performance.now() - began)));
  store.delete("analysisruns", namespace, run.name);
  return performance.now() - began;
}

/** Cuts all watches of analysis runs at random moments and answers nothing for 20 to 400 ms. */
async function dropAtRandom(
  sandbox: SandboxServer,
  { perMinute, seed, signal }: { perMinute: number; seed: number; signal: AbortSignal },
): Promise<number> {
  const random = createRandom(seed);
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});
  let drops = 0;
  while (!signal.aborted) {
    await pause((60_000 / perMinute) * (0.2 + random() * 1.6));
    if (signal.aborted) break;
    drops += 1;
    sandbox.fault({ fault: "drop", resource: "analysisruns" });
    await pause(20 + random() * 380);
    sandbox.fault({ fault: "none", resource: "analysisruns" });
  }
  return drops;
}
