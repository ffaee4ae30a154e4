import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiStore, createStore, type StoreOptions } from "#sandbox/apiserver/store.ts";
import type { KubeObject, KubeObjectInput } from "#sandbox/apiserver/store-types.ts";

export const WRITER = { manager: "tester" };
export const STATUS_WRITER = { manager: "controller", subresource: "status" } as const;

/** Creates a store with countable uids, a clock that moves only on request, and the namespace `wire`. */
export function testStore(options: Partial<StoreOptions> = {}): ApiStore {
  let next = 1;
  const store = createStore({
    now: () => new Date("2026-11-20T08:00:00Z"),
    uid: () => `00000000-0000-4000-8000-${String(next++).padStart(12, "0")}`,
    ...options,
  });
  if (store.get("namespaces", undefined, "wire") === undefined) addNamespace(store, "wire");
  return store;
}

export function addNamespace(store: ApiStore, name: string): KubeObject {
  return store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } }, WRITER);
}

export function rollout(name: string, changes: Partial<KubeObjectInput> = {}): KubeObjectInput {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    spec: { replicas: 3, strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } } },
    ...changes,
    metadata: { name, namespace: "wire", ...changes.metadata },
  } as KubeObjectInput;
}

export function analysisRun(name: string, status?: Record<string, unknown>): KubeObjectInput {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisRun",
    metadata: { name, namespace: "wire" },
    spec: { metrics: [] },
    ...(status === undefined ? {} : { status }),
  } as KubeObjectInput;
}

/** Makes a folder that the caller removes. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "gatehouse-sandbox-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
