import { isPlainObject } from "./shared-copy.ts";
import type { KubeObject } from "./store-types.ts";

/** A fieldsV1 tree: `f:name` members, "." for the parent itself, an empty tree for a leaf. */
export type FieldTree = { [path: string]: FieldTree };

export type ManagedFieldsEntry = {
  apiVersion: string;
  fieldsType: "FieldsV1";
  fieldsV1: FieldTree;
  manager: string;
  operation: "Update";
  subresource?: string;
  time: string;
};

export type Writer = { manager: string; subresource?: string; time: string };

const META_FIELDS = ["annotations", "finalizers", "labels", "ownerReferences"];
/** Members that upstream's structural schemas declare atomic. */
const ATOMIC = new Set(["selector", "matchLabels"]);

/**
 * Computes managedFields after a write, as upstream does. The writer takes over the fields that it added or modified
 * (only then does its entry get a new time), and other managers lose them. Removed fields have no owner. Lists are
 * leaves.
 */
export function computeManagedFields(
  before: KubeObject | undefined,
  after: KubeObject,
  writer: Writer,
): ManagedFieldsEntry[] {
  const { taken, removed } = compareFields(ownedPart(before), ownedPart(after));
  const entries = (before?.metadata.managedFields ?? []) as ManagedFieldsEntry[];
  const kept: ManagedFieldsEntry[] = [];
  let mine = taken;
  for (const entry of entries) {
    const isMine = entry.manager === writer.manager && entry.subresource === writer.subresource;
    if (isMine && !isEmptyTree(taken)) {
      mine = unite(subtract(entry.fieldsV1, removed), taken);
      continue;
    }
    const fieldsV1 = subtract(subtract(entry.fieldsV1, removed), taken);
    if (!isEmptyTree(fieldsV1)) kept.push(fieldsV1 === entry.fieldsV1 ? entry : { ...entry, fieldsV1 });
  }
  if (!isEmptyTree(taken)) {
    kept.push({
      apiVersion: after.apiVersion,
      fieldsType: "FieldsV1",
      fieldsV1: mine,
      manager: writer.manager,
      operation: "Update",
      ...(writer.subresource === undefined ? {} : { subresource: writer.subresource }),
      time: writer.time,
    });
  }
  return kept;
}

function ownedPart(object: KubeObject | undefined): Record<string, unknown> {
  if (object === undefined) return {};
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  const owned: Record<string, unknown> = {};
  const fields = metadata as unknown as Record<string, unknown>;
  for (const key of META_FIELDS) if (fields[key] !== undefined) owned[key] = fields[key];
  return { ...(Object.keys(owned).length === 0 ? {} : { metadata: owned }), ...rest };
}

type Comparison = { taken: FieldTree; removed: FieldTree };

function compareFields(before: Record<string, unknown>, after: Record<string, unknown>): Comparison {
  const taken: FieldTree = {};
  const removed: FieldTree = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const isMetadata = key === "metadata";
    const from = before[key] ?? (isMetadata ? {} : undefined);
    const to = after[key] ?? (isMetadata ? {} : undefined);
    compareMember({ key, from, to, taken, removed });
  }
  return { taken, removed };
}

function compareMember(member: {
  key: string;
  from: unknown;
  to: unknown;
  taken: FieldTree;
  removed: FieldTree;
}): void {
  const { key, from, to, taken, removed } = member;
  const name = `f:${key}`;
  if (from === to) return;
  if (to === undefined) removed[name] = treeOf(from, key);
  else if (from === undefined) taken[name] = treeOf(to, key);
  else if (key === "metadata" || (isGranular(from, key) && isGranular(to, key))) {
    const inner = compareFields(from as Record<string, unknown>, to as Record<string, unknown>);
    if (!isEmptyTree(inner.taken)) taken[name] = inner.taken;
    if (!isEmptyTree(inner.removed)) removed[name] = inner.removed;
  } else taken[name] = treeOf(to, key);
}

function isGranular(value: unknown, key: string): value is Record<string, unknown> {
  return isPlainObject(value) && !ATOMIC.has(key) && Object.keys(value).length > 0;
}

function treeOf(value: unknown, key: string): FieldTree {
  if (!isGranular(value, key)) return {};
  const tree: FieldTree = { ".": {} };
  for (const [name, member] of Object.entries(value)) tree[`f:${name}`] = treeOf(member, name);
  return tree;
}

function isEmptyTree(tree: FieldTree): boolean {
  for (const _ in tree) return false;
  return true;
}

function unite(left: FieldTree, right: FieldTree): FieldTree {
  const result: FieldTree = { ...left };
  for (const [key, tree] of Object.entries(right)) result[key] = unite(result[key] ?? {}, tree);
  return result;
}

function subtract(from: FieldTree, what: FieldTree): FieldTree {
  if (isEmptyTree(what)) return from;
  let changed = false;
  const result: FieldTree = {};
  for (const [key, tree] of Object.entries(from)) {
    const minus = what[key];
    if (minus === undefined) {
      result[key] = tree;
      continue;
    }
    if (isEmptyTree(minus) || isEmptyTree(tree)) {
      changed = true;
      continue;
    }
    const rest = subtract(tree, minus);
    if (rest !== tree) changed = true;
    if (!isEmptyTree(rest)) result[key] = rest;
  }
  return changed ? result : from;
}
