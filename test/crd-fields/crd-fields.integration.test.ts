import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { recordEntries } from "#test/record-entries.ts";
import { createTestPool } from "#test/test-pool.ts";
import { leftOut, shownAt } from "./field-decisions.ts";
import { Crd, hasField, makeMarkedObject } from "./marked-object.ts";

// Gatehouse promises all that a controller measured. Each field of the CRDs is planted with a value of its own, and the
// object recorded: exactly the fields missing from the record must be listed, with the reason. The CRDs are those
// of Argo Rollouts' main branch of August 2026, which have every field of 1.7.2, 1.8.3, 1.9.3 and 1.10.2.

const data = join(import.meta.dirname, "../../../shared/data");
const files = [
  ...["rollout", "analysis-run", "experiment", "analysis-template", "cluster-analysis-template"].map((name) =>
    join(data, `argo/manifests/crds/${name}-crd.yaml`),
  ),
  join(data, "flagger/crd/crd.yaml"),
];

let database: TestDatabase;
let owner: Pool;
let recorder: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  recorder = createTestPool(database.recorderUrl);
});
afterAll(async () => {
  await Promise.all([owner.end(), recorder.end()]);
  await database.drop();
});

/** Returns every row that the recorder has written about one cluster, as JSON. */
async function readRecord(): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
    parts.push(...rows.map(({ row }) => row));
  }
  return parts.join("\n");
}

const crds = files.every(existsSync)
  ? files
      .flatMap((file) => parseAllDocuments(readFileSync(file, "utf8")))
      .flatMap((document) => {
        const parsed = Crd.safeParse(document.toJS());
        return parsed.success ? [parsed.data] : [];
      })
  : [];

const versions = crds.flatMap(({ spec: { group, names, versions: served } }) =>
  served.map(({ name, schema }) => ({ kind: names.kind, group, version: name, schema: schema.openAPIV3Schema })),
);

describe("the record of an object with every field", () => {
  it("is looked at for each kind that is watched", (context) => {
    if (crds.length === 0) return context.skip(`the CRDs are not at ${data}`);
    expect(crds.map(({ spec }) => spec.names.kind).toSorted()).toEqual(Object.keys(leftOut).toSorted());
  });

  it.each(versions)("is complete but for what is listed: $kind", async ({ kind, group, version, schema }) => {
    const { object, fields } = makeMarkedObject(schema);
    const uid = `uid-${kind}`;
    const scope = kind.startsWith("Cluster") ? {} : { namespace: "shop" };
    const marked = {
      ...object,
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name: `marked-${kind.toLowerCase()}`, ...scope, uid, resourceVersion: "7", generation: 1 },
    };
    // Only a run that has ended has the time of its end.
    if (kind === "AnalysisRun") Object.assign(marked, { status: { ...statusOf(object), phase: "Failed" } });
    await owner.query(
      "DELETE FROM rollout; DELETE FROM timeline_event; DELETE FROM analysis_run; DELETE FROM measurement",
    );
    await recordEntries(recorder, "demo", [
      { type: "ADDED", kind, uid, resourceVersion: "7", object: marked, at: new Date("2026-11-20T10:00:00Z") },
    ]);
    const record = await readRecord();
    const own = fields.filter(({ path }) => isOwn(path) && !(kind === "AnalysisRun" && path === "status.phase"));
    expect(own.length).toBeGreaterThan(3);
    const missing = own.filter((field) => !hasField(record, field)).map(({ path }) => path);
    expect(missing).toEqual(Object.keys(leftOut[kind] ?? {}));
  });

  it.each(versions)("is shown where the table says: $kind", ({ kind, schema }) => {
    const decided = Object.keys(shownAt[kind] ?? {});
    const isUnder = (path: string, place: string) =>
      path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
    const paths = makeMarkedObject(schema).paths.filter((path) => path.startsWith("status"));
    expect(paths.filter((path) => !decided.some((place) => isUnder(path, place)))).toEqual([]);
    expect(decided.filter((place) => !paths.some((path) => isUnder(path, place)))).toEqual([]);
  });
});

/** Of the object, not of the kind that all objects share. */
function isOwn(path: string): boolean {
  return path.startsWith("spec") || path.startsWith("status");
}

function statusOf(object: Record<string, unknown>): object {
  return typeof object.status === "object" && object.status !== null ? object.status : {};
}
