import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { parseRollout, readRevisionMark } from "#lib/domain/argo/objects/rollout-object.ts";
import { computeRolloutView } from "#lib/domain/argo/view/rollout-view.ts";
import { controllerOf } from "#lib/domain/kube/kube-object.ts";
import { extractReplicaSetFacts, parseReplicaSet } from "#lib/domain/kube/replica-set-object.ts";
import rolloutListRow from "#test/fixtures/conformance/rollout-list-row.json";
import rolloutView from "#test/fixtures/conformance/rollout-view.json";

/** Upstream's own test objects: they are read in place, outside the checkout, and never copied into it. */
const upstream = join(import.meta.dirname, "../../../../../shared/data/argo");

type ViewExpectation = {
  status: string;
  message: string;
  strategy?: string;
  step?: string;
  setWeight?: string;
  actualWeight?: string;
  images?: Record<string, string[]>;
  replicaSets?: Record<string, { revision: number; tags: string[] }>;
};

function readYaml(file: string): unknown {
  return parseDocument(readFileSync(file, "utf8")).toJS();
}

function loadView(dir: string, rolloutFile: string) {
  const parsed = parseRollout(withResourceVersion(readYaml(join(upstream, dir, rolloutFile))));
  if (!parsed.ok) throw new Error(parsed.reason);
  const rollout = parsed.value;
  const replicaSets = readdirSync(join(upstream, dir))
    .map((file) => parseReplicaSet(withResourceVersion(readYaml(join(upstream, dir, file)))))
    .flatMap((result) => (result.ok ? result.value : []))
    .filter(({ metadata }) => controllerOf(metadata)?.uid === rollout.metadata.uid)
    .map((replicaSet) => ({ ...extractReplicaSetFacts(replicaSet), ...readRevisionMark(replicaSet.metadata) }));
  return computeRolloutView({ rollout, replicaSets });
}

function withResourceVersion(object: unknown): unknown {
  const { metadata, ...rest } = object as { metadata: object };
  return { ...rest, metadata: { resourceVersion: "1", ...metadata } };
}

describe.skipIf(!existsSync(upstream))("computeRolloutView on upstream's test objects (beside the checkout)", () => {
  it.each(rolloutView.cases)("$id: $testdataDir/$rolloutFile", ({ testdataDir, rolloutFile, expect: expectation }) => {
    const wanted = expectation as ViewExpectation;
    const view = loadView(testdataDir, rolloutFile);
    expect({ phase: view.phase, message: view.message }).toEqual({ phase: wanted.status, message: wanted.message });
    if (wanted.strategy !== undefined) expect(view.strategy).toBe(wanted.strategy);
    if (wanted.step !== undefined) expect(view.step === null ? "" : `${view.step}/${view.stepCount}`).toBe(wanted.step);
    if (wanted.setWeight !== undefined) expect(view.weight?.set).toBe(Number(wanted.setWeight));
    if (wanted.actualWeight !== undefined) expect(view.weight?.actual).toBe(Number(wanted.actualWeight));
    if (wanted.images !== undefined)
      expect(Object.fromEntries(view.images.map(({ image, tags }) => [image, tags]))).toEqual(wanted.images);
    if (wanted.replicaSets !== undefined)
      expect(
        Object.fromEntries(
          view.replicaSets.map(({ name, revision, tags }) => [name, { revision, tags: tags.toSorted() }]),
        ),
      ).toEqual(
        Object.fromEntries(
          Object.entries(wanted.replicaSets).map(([name, { revision, tags }]) => [
            name,
            { revision, tags: tags.toSorted() },
          ]),
        ),
      );
  });
});

describe("computeRolloutView on list rows", () => {
  it.each(rolloutListRow.cases)("$id", ({ rollout, expect: wanted }) => {
    const parsed = parseRollout({
      kind: "Rollout",
      ...rollout,
      metadata: { ...rollout.metadata, namespace: "n", uid: "u", resourceVersion: "1" },
    });
    if (!parsed.ok) throw new Error(parsed.reason);
    const view = computeRolloutView({ rollout: parsed.value, replicaSets: [] });
    expect({
      strategy: view.strategy,
      status: view.phase,
      step: view.step === null ? "-" : `${view.step}/${view.stepCount}`,
      setWeight: String(view.weight?.set ?? "-"),
    }).toEqual({ strategy: wanted.strategy, status: wanted.status, step: wanted.step, setWeight: wanted.setWeight });
    // No ReplicaSet is known: the canary's actual traffic is unknown, not zero.
    if (view.weight !== null) expect(view.weight.actual).toBeNull();
  });
});
