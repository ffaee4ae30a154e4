import { ApiError, badRequest, type StatusCause } from "./api-error.ts";
import { apiVersionOf, type Resource } from "./resources.ts";
import { isPlainObject } from "./shared-copy.ts";

type FieldType = "boolean" | "integer" | "date-time" | "object" | "array";

/** Types of the fields that people and controllers act on; upstream's schemas contain many more. */
const FIELDS: Record<string, Record<string, FieldType>> = {
  rollouts: {
    "spec.paused": "boolean",
    "spec.replicas": "integer",
    "spec.restartAt": "date-time",
    "spec.template": "object",
    "spec.strategy": "object",
    "spec.strategy.canary.steps": "array",
    "status.abort": "boolean",
    "status.promoteFull": "boolean",
    "status.controllerPause": "boolean",
    "status.currentStepIndex": "integer",
    "status.pauseConditions": "array",
    "status.conditions": "array",
  },
  analysisruns: { "spec.terminate": "boolean", "spec.metrics": "array", "status.metricResults": "array" },
  experiments: { "spec.terminate": "boolean" },
  canaries: { "spec.suspend": "boolean", "spec.skipAnalysis": "boolean", "status.canaryWeight": "integer" },
};

const UNFINISHED: StatusCause = {
  reason: "FieldValueInvalid",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; " +
    "correct the existing errors to complete validation",
  field: "<nil>",
};

/**
 * Refuses an object that the kinds' schemas would refuse: 400 for metadata that cannot be decoded, 422 for a field of a
 * wrong type. On /status only status is checked; on the main path of a kind with that subresource, only the rest.
 */
export function validateObject(resource: Resource, object: Record<string, unknown>, subresource?: string): void {
  checkMetadata(resource, object.metadata);
  const fields: [string, FieldType][] = [
    ["spec", "object"],
    ["status", "object"],
    ...Object.entries(FIELDS[resource.plural] ?? {}),
  ];
  const causes = fields
    .filter(([path]) => isLookedAt(path, resource, subresource))
    .flatMap(([path, type]) => findCause({ object, path, type, subresource }));
  if (subresource === undefined && resource.hasScale && resource.custom) causes.push(...findScaleCause(object));
  if (causes.length === 0) return;
  const name = isPlainObject(object.metadata) ? String(object.metadata.name) : "";
  const all = [...causes, UNFINISHED];
  const kind = resource.group === "" ? resource.kind : `${resource.kind}.${resource.group}`;
  throw new ApiError({
    code: 422,
    reason: "Invalid",
    message: `${kind} "${name}" is invalid: [${all.map((cause) => `${cause.field}: ${cause.message}`).join(", ")}]`,
    details: { name, ...(resource.group === "" ? {} : { group: resource.group }), kind: resource.kind, causes: all },
  });
}

function isLookedAt(path: string, resource: Resource, subresource: string | undefined): boolean {
  const isStatus = path === "status" || path.startsWith("status.");
  if (subresource === "status") return isStatus;
  return !(isStatus && resource.hasStatus);
}

function findCause(parts: {
  object: Record<string, unknown>;
  path: string;
  type: FieldType;
  subresource: string | undefined;
}): StatusCause[] {
  const { object, path, type, subresource } = parts;
  let value: unknown = object;
  for (const key of path.split(".")) value = isPlainObject(value) ? value[key] : undefined;
  if (value === undefined || value === null || isOfType(value, type)) return [];
  const shown = JSON.stringify(type === "date-time" && typeof value === "string" ? value : typeName(value));
  // A /status write is validated with status as the root, and its messages omit it.
  const field = subresource === "status" ? path.replace(/^status\./, "") : path;
  const message = `Invalid value: ${shown}: ${field} in body must be of type ${type}: ${shown}`;
  return [{ reason: "FieldValueTypeInvalid", message, field: path }];
}

/** Checks the replicas of /scale a second time, by the path of the accessor that /scale uses. */
function findScaleCause({ spec }: Record<string, unknown>): StatusCause[] {
  const replicas = isPlainObject(spec) ? spec.replicas : undefined;
  if (typeof replicas !== "string") return [];
  const field = ".spec.replicas";
  const message = `Invalid value: 0: ${field} accessor error: ${replicas} is of the type string, expected int64`;
  return [{ reason: "FieldValueInvalid", message, field }];
}

function isOfType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "object":
      return isPlainObject(value);
    case "array":
      return Array.isArray(value);
    case "date-time":
      return typeof value === "string" && /^\d{4}-\d\d-\d\d[Tt]/.test(value) && !Number.isNaN(Date.parse(value));
    case "boolean":
      return typeof value === "boolean";
  }
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

/** Checks what the store relies on; a wrong shape must not reach it. */
function checkMetadata(resource: Resource, metadata: unknown): void {
  if (!isPlainObject(metadata)) throw undecodable(resource, "metadata", "an object");
  for (const key of ["labels", "annotations"]) {
    const map = metadata[key];
    if (map === undefined || map === null) continue;
    const isFine = isPlainObject(map) && Object.values(map).every((value) => typeof value === "string");
    if (!isFine) throw undecodable(resource, `metadata.${key}`, "a map of strings");
  }
  const ownerReferences = metadata.ownerReferences ?? undefined;
  const finalizers = metadata.finalizers ?? undefined;
  const isOwner = (owner: unknown): boolean => isPlainObject(owner) && typeof owner.uid === "string";
  if (ownerReferences !== undefined && !(Array.isArray(ownerReferences) && ownerReferences.every(isOwner))) {
    throw undecodable(resource, "metadata.ownerReferences", "an array of owners with their uid");
  }
  const isText = (value: unknown): boolean => typeof value === "string";
  if (finalizers !== undefined && !(Array.isArray(finalizers) && finalizers.every(isText))) {
    throw undecodable(resource, "metadata.finalizers", "an array of strings");
  }
  for (const key of ["name", "namespace", "uid", "resourceVersion", "generateName"]) {
    if (!isText(metadata[key] ?? "")) throw undecodable(resource, `metadata.${key}`, "a string");
  }
}

function undecodable(resource: Resource, field: string, expected: string): ApiError {
  const { kind, version } = resource;
  return badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: ${field} must be ${expected} (${apiVersionOf(resource)})`,
  );
}
