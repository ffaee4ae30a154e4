import { findResourceByKind } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";

/** The texts of the newest versions alone: the log and the watches want the same one at about the same time. */
const recent = new Map<KubeObject, string>();
const MAX_RECENT = 512;

/** The object as JSON text. Stored objects never change, so a text once made stays right. */
export function jsonOf(object: KubeObject): string {
  const known = recent.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  recent.set(object, text);
  if (recent.size > MAX_RECENT) {
    const [oldest] = recent.keys();
    if (oldest !== undefined) recent.delete(oldest);
  }
  return text;
}

/** As an item of a list: lists of the built-in kinds leave apiVersion and kind out of their items. */
export function listItemJson(object: KubeObject): string {
  const text = recent.get(object) ?? JSON.stringify(object);
  const resource = findResourceByKind(object.apiVersion, object.kind);
  if (resource === undefined || resource.custom) return text;
  const prefix = `{"apiVersion":${JSON.stringify(object.apiVersion)},"kind":${JSON.stringify(object.kind)},`;
  return text.startsWith(prefix) ? `{${text.slice(prefix.length)}` : text;
}
