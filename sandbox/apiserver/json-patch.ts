import { hasBrand } from "#lib/util/has-brand.ts";
import { isEqualJson, isPlainObject } from "./shared-copy.ts";

export type JsonPatchOperation = {
  op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  path: string;
  from?: string;
  value?: unknown;
};

/** An operation that cannot be applied, or a `test` that fails. */
export class JsonPatchError extends Error {
  readonly brand = "json-patch-error";
}

export function isJsonPatchError(error: unknown): error is JsonPatchError {
  return hasBrand(error, "json-patch-error");
}

/** Applies a JSON patch (RFC 6902) to a copy of `target`. Throws JsonPatchError. */
export function applyJsonPatch(target: unknown, operations: readonly JsonPatchOperation[]): unknown {
  let document: unknown = structuredClone(target);
  for (const operation of operations) document = applyOperation(document, operation);
  return document;
}

function applyOperation(document: unknown, operation: JsonPatchOperation): unknown {
  const path = parsePointer(operation.path);
  switch (operation.op) {
    case "add":
      return add(document, path, newValueOf(operation));
    case "replace":
      read(document, path);
      return replace(document, path, newValueOf(operation));
    case "remove":
      return remove(document, path);
    case "test":
      if (!isEqualJson(read(document, path), operation.value ?? null)) throw new JsonPatchError("test failed");
      return document;
    case "copy":
      return add(document, path, structuredClone(read(document, parsePointer(operation.from))));
    case "move": {
      const from = parsePointer(operation.from);
      if (`${operation.path}/`.startsWith(`${operation.from}/`) && operation.path !== operation.from) {
        throw new JsonPatchError("cannot move a value into itself");
      }
      const value = read(document, from);
      return add(remove(document, from), path, value);
    }
    default:
      throw new JsonPatchError(`unknown operation ${String(operation.op)}`);
  }
}

function newValueOf(operation: JsonPatchOperation): unknown {
  if (!Object.hasOwn(operation, "value")) throw new JsonPatchError(`${operation.op} without a value`);
  return structuredClone(operation.value);
}

function parsePointer(pointer: string | undefined): string[] {
  if (typeof pointer !== "string" || (pointer !== "" && !pointer.startsWith("/"))) {
    throw new JsonPatchError(`not a JSON pointer: ${String(pointer)}`);
  }
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function read(document: unknown, path: readonly string[]): unknown {
  let at = document;
  for (const key of path) {
    if (Array.isArray(at)) at = at[indexOf(key, at.length - 1)];
    else if (isPlainObject(at) && Object.hasOwn(at, key)) at = at[key];
    else throw new JsonPatchError(`no such path: ${path.join("/")}`);
  }
  return at;
}

function indexOf(key: string, max: number): number {
  const index = /^(0|[1-9][0-9]*)$/.test(key) ? Number(key) : Number.NaN;
  if (!(index <= max)) throw new JsonPatchError(`no such index: ${key}`);
  return index;
}

function lastKey(path: readonly string[]): string {
  return path[path.length - 1] ?? "";
}

function parentOf(document: unknown, path: readonly string[]): unknown[] | Record<string, unknown> {
  const parent = read(document, path.slice(0, -1));
  if (Array.isArray(parent) || isPlainObject(parent)) return parent;
  throw new JsonPatchError(`no object or array above ${path.join("/")}`);
}

function setMember(parent: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") throw new JsonPatchError("a member named __proto__ is not allowed");
  parent[key] = value;
}

function add(document: unknown, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value;
  const parent = parentOf(document, path);
  const key = lastKey(path);
  if (Array.isArray(parent)) parent.splice(key === "-" ? parent.length : indexOf(key, parent.length), 0, value);
  else setMember(parent, key, value);
  return document;
}

function replace(document: unknown, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value;
  const parent = parentOf(document, path);
  const key = lastKey(path);
  if (Array.isArray(parent)) parent[indexOf(key, parent.length - 1)] = value;
  else setMember(parent, key, value);
  return document;
}

function remove(document: unknown, path: readonly string[]): unknown {
  read(document, path);
  if (path.length === 0) return null;
  const parent = parentOf(document, path);
  const key = lastKey(path);
  if (Array.isArray(parent)) parent.splice(indexOf(key, parent.length - 1), 1);
  else delete parent[key];
  return document;
}
