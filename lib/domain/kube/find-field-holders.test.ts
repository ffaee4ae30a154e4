import { expect, it } from "vitest";
import { findFieldHolders } from "./find-field-holders.ts";

const entry = (manager: unknown, fieldsV1: unknown, time: unknown = "2026-11-20T12:00:00Z") => ({
  manager,
  operation: "Update",
  apiVersion: "argoproj.io/v1alpha1",
  time,
  fieldsType: "FieldsV1",
  fieldsV1,
});
const terminate = { "f:spec": { "f:terminate": {} } };
const at = "2026-11-20T12:00:00Z";

it.each<{ name: string; managedFields: unknown; expected: unknown }>([
  { name: "nothing is told", managedFields: undefined, expected: [] },
  { name: "cleared by a client", managedFields: [{}], expected: [] },
  { name: "no list", managedFields: "x", expected: [] },
  {
    name: "the one that holds the field, beside those that hold others",
    managedFields: [
      entry("rollouts-controller", { "f:spec": { ".": {}, "f:metrics": {} }, "f:status": { "f:terminate": {} } }),
      entry("kubectl-patch", terminate),
      entry("kubectl-label", { "f:metadata": { "f:labels": {} } }),
    ],
    expected: [{ manager: "kubectl-patch", at }],
  },
  {
    name: "two that applied it",
    managedFields: [entry("helm", terminate), entry("argocd-controller", terminate, undefined)],
    expected: [
      { manager: "helm", at },
      { manager: "argocd-controller", at },
    ],
  },
  {
    name: "a time that is none",
    managedFields: [entry("kubectl", terminate, "soon")],
    expected: [{ manager: "kubectl", at: null }],
  },
  {
    name: "a time that is missing",
    managedFields: [entry("kubectl", terminate, 7)],
    expected: [{ manager: "kubectl", at: null }],
  },
  { name: "a manager without a name", managedFields: [entry("", terminate), entry(7, terminate)], expected: [] },
  {
    name: "fields that are none",
    managedFields: [entry("kubectl", null), entry("kubectl", { "f:spec": [] }), null],
    expected: [],
  },
])("$name", ({ managedFields, expected }) => {
  expect(findFieldHolders(managedFields, ["spec", "terminate"])).toEqual(expected);
});
