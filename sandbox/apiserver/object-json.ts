import { findResourceByKind } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";

/** Only the texts of the newest versions: the log and the watches need the same one at about the same time. */
const recent = new Map<KubeObject, string>();
const MAX_RECENT = 512;

/** Returns the object as JSON text. Stored objects never change, so a cached text stays correct. */
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

/** Returns the object as a list item: lists of the built-in kinds omit apiVersion and kind in their items. */
export function listItemJson(object: KubeObject): string {
  const text = recent.get(object) ?? JSON.stringify(object);
  const resource = findResourceByKind(object.apiVersion, object.kind);
  if (resource === undefined || resource.custom) return text;
  const prefix = `{"apiVersion":${JSON.stringify(object.apiVersion)},"kind":${JSON.stringify(object.kind)},`;
  return text.startsWith(prefix) ? `{${text.slice(prefix.length)}` : text;
}
