import { jsonOf } from "./object-json.ts";
import type { KubeObject } from "./store-types.ts";

/** Yields the log lines for the current objects, created one by one while they are written. */
export function* putLines(captured: { resource: string; objects: KubeObject[] }[]): Iterable<string> {
  for (const { resource, objects } of captured) {
    for (const object of objects) yield putLine(Number(object.metadata.resourceVersion), resource, object);
  }
}

/** Returns the log line that puts an object. */
export function putLine(rv: number, resource: string, object: KubeObject): string {
  return `{"op":"put","rv":${rv},"resource":"${resource}","object":${jsonOf(object)}}`;
}
