import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import { findResourceByKind, type Resource } from "./resources.ts";
import { isPlainObject } from "./shared-copy.ts";
import type { ApiStore } from "./store.ts";
import type { KubeObject, KubeObjectInput, OwnerReference, Store } from "./store-types.ts";

export type LoadResult = { imported: number; present: number; skipped: string[] };

type Manifest = { resource: Resource; object: KubeObjectInput; origin: string };
type Plan = Manifest & { name: string; uid: string };

/**
 * Imports every YAML file below a directory. A folder that directly contains such files becomes a namespace named after
 * it, in which no controller acts; name, uid and status stay unchanged. Objects from an earlier start are kept as they
 * are. `skipped` lists the omitted documents with the reason.
 */
export function loadManifests(options: { store: ApiStore; directory: string; uid: () => string }): LoadResult {
  const result: LoadResult = { imported: 0, present: 0, skipped: [] };
  const taken = new Set<string>();
  for (const { folder, files } of foldersBelow(resolve(options.directory))) {
    const manifests = files.flatMap((file) => readManifests(file, result.skipped));
    if (manifests.length === 0) continue;
    const namespace = namespaceOf(folder, taken);
    freezeNamespace(options.store, namespace);
    importFolder({ ...options, namespace, manifests, result });
  }
  return result;
}

function foldersBelow(directory: string): { folder: string; files: string[] }[] {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = entries.filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name));
  const folders = entries.filter((entry) => entry.isDirectory());
  const here =
    files.length === 0 ? [] : [{ folder: directory, files: files.map((file) => join(directory, file.name)) }];
  return [...here, ...folders.flatMap((entry) => foldersBelow(join(directory, entry.name)))];
}

/** Returns a namespace for a folder. If two folders have one name, the second gets its parent's name as a prefix. */
function namespaceOf(folder: string, taken: Set<string>): string {
  let namespace = basename(folder);
  for (let parent = dirname(folder); taken.has(namespace) && basename(parent) !== ""; parent = dirname(parent)) {
    namespace = `${basename(parent)}-${namespace}`;
  }
  taken.add(namespace);
  return namespace;
}

function readManifests(file: string, skipped: string[]): Manifest[] {
  const documents = parseAllDocuments(readFileSync(file, "utf8"), { logLevel: "error" });
  const values: unknown[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const error = document.errors[0];
    if (error === undefined) values.push(document.toJS());
    else skipped.push(`${file}: not YAML that can be read: ${error.message.split("\n")[0]}`);
  }
  return values.flatMap((value) => toManifests(value, file, skipped));
}

function toManifests(value: unknown, file: string, skipped: string[]): Manifest[] {
  if (!isPlainObject(value)) return [];
  if (Array.isArray(value.items)) return value.items.flatMap((item) => toManifests(item, file, skipped));
  const kind = `${String(value.apiVersion)} ${String(value.kind)}`;
  const resource = findResourceByKind(servedVersion(String(value.apiVersion)), String(value.kind));
  const name = isPlainObject(value.metadata) ? value.metadata.name : undefined;
  if (resource === undefined || resource.plural === "namespaces") {
    skipped.push(`${file}: ${kind} is not imported`);
    return [];
  }
  if (typeof name !== "string" || name === "") {
    skipped.push(`${file}: ${kind} without metadata.name`);
    return [];
  }
  return [{ resource, object: value as unknown as KubeObjectInput, origin: file }];
}

/**
 * Updates the API version: old manifests name the group that workloads had before apps/v1; the API server serves them
 * there today.
 */
function servedVersion(apiVersion: string): string {
  return /^(extensions\/v1beta1|apps\/v1beta[12])$/.test(apiVersion) ? "apps/v1" : apiVersion;
}

function freezeNamespace(store: ApiStore, name: string): void {
  const annotations = { [FROZEN_ANNOTATION]: "true" };
  const options = { manager: "sandbox-load" };
  const namespace = store.get("namespaces", undefined, name);
  if (namespace === undefined) {
    store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name, annotations } }, options);
  } else if (!isFrozenNamespace(store, name)) {
    const metadata = { ...namespace.metadata, annotations: { ...namespace.metadata.annotations, ...annotations } };
    store.update("namespaces", { ...namespace, metadata }, options);
  }
}

type Importing = {
  store: ApiStore;
  uid: () => string;
  namespace: string;
  manifests: Manifest[];
  result: LoadResult;
};

function importFolder(parts: Importing): void {
  const { store, namespace, result } = parts;
  const plans = planFolder(parts);
  for (const plan of plans) {
    const place = plan.resource.namespaced ? namespace : undefined;
    if (store.get(plan.resource.plural, place, plan.name) !== undefined) {
      result.present += 1;
      continue;
    }
    const { namespace: _namespace, ...metadata } = plan.object.metadata;
    store.importObject(plan.resource.plural, {
      ...plan.object,
      metadata: {
        ...metadata,
        name: plan.name,
        uid: plan.uid,
        ...(place === undefined ? {} : { namespace: place }),
        ...relinked(metadata.ownerReferences, plans),
      },
    });
    result.imported += 1;
  }
}

/** Decides names and uids before anything is stored, so that owner references can follow a changed uid. */
function planFolder({ store, uid, namespace, manifests }: Importing): Plan[] {
  const names = new Set<string>();
  const uids = new Set<string>();
  return manifests.map((manifest) => {
    const { resource, object } = manifest;
    let name = object.metadata.name;
    for (let n = 2; names.has(`${resource.plural}/${name}`); n += 1) name = `${object.metadata.name}-${n}`;
    names.add(`${resource.plural}/${name}`);
    const stored = store.get(resource.plural, resource.namespaced ? namespace : undefined, name);
    const wanted = stored?.metadata.uid ?? object.metadata.uid;
    const isFree = wanted !== undefined && !uids.has(wanted) && (stored !== undefined || !store.hasUid(wanted));
    const planned = isFree ? wanted : uid();
    uids.add(planned);
    return { ...manifest, name, uid: planned };
  });
}

function relinked(
  owners: OwnerReference[] | undefined,
  plans: readonly Plan[],
): Pick<KubeObject["metadata"], "ownerReferences"> {
  if (owners === undefined) return {};
  return {
    ownerReferences: owners.map((owner) => {
      const target = plans.find(
        ({ object, resource }) =>
          resource.kind === owner.kind && object.metadata.name === owner.name && object.metadata.uid === owner.uid,
      );
      return target === undefined ? owner : { ...owner, name: target.name, uid: target.uid };
    }),
  };
}

const FROZEN_ANNOTATION = "sandbox.gatehouse/frozen";

/** Returns whether controllers must leave a namespace alone, because its objects were loaded unchanged. */
export function isFrozenNamespace(store: Pick<Store, "get">, namespace: string | undefined): boolean {
  if (namespace === undefined) return false;
  const object = store.get("namespaces", undefined, namespace);
  return object?.metadata.annotations?.[FROZEN_ANNOTATION] === "true";
}
