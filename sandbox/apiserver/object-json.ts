import { findResourceByKind } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";

const cache = new WeakMap<KubeObject, string>();

/** The object as JSON text, made once per version of it: stored objects never change. */
export function jsonOf(object: KubeObject): string {
  let text = cache.get(object);
  if (text === undefined) {
    text = JSON.stringify(object);
    cache.set(object, text);
  }
  return text;
}

/** As an item of a list: lists of the built-in kinds leave apiVersion and kind out of their items. */
export function listItemJson(object: KubeObject): string {
  const text = jsonOf(object);
  const resource = findResourceByKind(object.apiVersion, object.kind);
  if (resource === undefined || resource.custom) return text;
  const prefix = `{"apiVersion":${JSON.stringify(object.apiVersion)},"kind":${JSON.stringify(object.kind)},`;
  return text.startsWith(prefix) ? `{${text.slice(prefix.length)}` : text;
}
