import { expect, it } from "vitest";
import { ObjectMeta } from "#lib/domain/argo/kube-object.ts";
import { assessTargetReadBack, type ReadBack } from "./assess-read-back.ts";

const sentAt = new Date("2026-11-20T12:00:00.400Z");
const terminate = { spec: { terminate: true } };
const entry = (manager: string, fieldsV1: unknown, time = "2026-11-20T12:00:00Z") => ({
  manager,
  operation: "Update",
  time,
  fieldsV1,
});
const held = { "f:spec": { "f:terminate": {} } };
const other = { "f:spec": { "f:metrics": {} }, "f:status": { "f:phase": {} } };

type Case = { name: string; managedFields?: unknown; body?: unknown; outcome: ReadBack["outcome"]; says: string };
it.each<Case>([
  {
    name: "Gatehouse holds the field",
    managedFields: [entry("gatehouse", held)],
    outcome: "applied",
    says: "with Gatehouse's own mark",
  },
  {
    name: "another client holds it",
    managedFields: [entry("kubectl-patch", held), entry("rollouts-controller", other)],
    outcome: "undecidable",
    says: "but this request did not make it so: kubectl-patch wrote it",
  },
  {
    name: "another client holds it, and Gatehouse wrote something else since",
    managedFields: [entry("rollouts-controller", held), entry("gatehouse", { "f:metadata": { "f:annotations": {} } })],
    outcome: "undecidable",
    says: "but this request did not make it so: rollouts-controller wrote it",
  },
  {
    name: "Gatehouse has held it since before",
    managedFields: [entry("gatehouse", held, "2026-11-20T11:59:59Z")],
    outcome: "applied",
    says: "it does not tell",
  },
  {
    name: "nobody is said to hold it",
    managedFields: [entry("kubectl-patch", other)],
    outcome: "applied",
    says: "it does not tell",
  },
  { name: "nothing is told", outcome: "applied", says: "it does not tell" },
  {
    name: "one of two fields is held by Gatehouse",
    managedFields: [entry("kubectl-patch", held), entry("gatehouse", { "f:spec": { "f:paused": {} } })],
    body: { spec: { terminate: true, paused: true } },
    outcome: "applied",
    says: "with Gatehouse's own mark",
  },
  {
    name: "of one of two fields nobody is named",
    managedFields: [entry("kubectl-patch", held)],
    body: { spec: { terminate: true, paused: true } },
    outcome: "applied",
    says: "it does not tell",
  },
  {
    name: "the patch only removes, and another client wrote",
    managedFields: [entry("kubectl-patch", held)],
    body: { spec: { terminate: null } },
    outcome: "applied",
    says: "it does not tell",
  },
  {
    name: "the patch sets a pod template",
    managedFields: [entry("kubectl-patch", { "f:spec": { "f:template": { "f:spec": {} } } })],
    body: { spec: { template: { spec: { containers: [] } } } },
    outcome: "applied",
    says: "it does not tell",
  },
])("is as asked, and $name: $outcome", ({ managedFields, body = terminate, outcome, says }) => {
  const verdict = assessTargetReadBack({
    metadata: ObjectMeta.parse({ name: "run", uid: "r-1", resourceVersion: "6", managedFields }),
    target: { resource: "analysisruns", kind: "AnalysisRun", name: "run", uid: "r-1", resourceVersion: "5" },
    carries: true,
    isAsBefore: false,
    isGraceOver: false,
    sentAt,
    unproven: [body],
  });
  expect(verdict.outcome).toBe(outcome);
  expect("message" in verdict && verdict.message).toContain(says);
});
