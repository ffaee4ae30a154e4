import type { Resource } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";

const TORN_LINE = '{"type":"MODIFIED","object":{"apiVersion":"argoproj.io/v1alpha1","kind":"Rol\n';
const STATUS = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "the sandbox was told to send garbage",
  reason: "InternalError",
  code: 500,
};

/** Returns lines that are not watch events: text that cannot be parsed, a Status as an object, another kind. */
export function garbageLines(resource: Resource): string[] {
  const events = [
    { type: "MODIFIED", object: STATUS },
    { type: "ADDED", object: strayObject(resource) },
  ];
  return [TORN_LINE, ...events.map((event) => `${JSON.stringify(event)}\n`)];
}

/** Returns items that do not belong in a list of the resource. */
export function garbageItems(resource: Resource): string[] {
  return [STATUS, strayObject(resource)].map((item) => JSON.stringify(item));
}

/** Returns an object that claims to be of another kind. */
function strayObject(resource: Resource): unknown {
  const metadata = { name: "stray", ...(resource.namespaced ? { namespace: "default" } : {}), resourceVersion: "1" };
  return { apiVersion: "sandbox.gatehouse/v1", kind: "Stray", metadata };
}

/** Returns the same object in a shape that no schema of its kind has. */
export function driftedObject(object: KubeObject): unknown {
  return { ...object, spec: "drifted", status: ["drifted"] };
}
