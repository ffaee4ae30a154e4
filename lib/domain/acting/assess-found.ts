import type { ReadBack } from "#lib/domain/acting/effect.ts";
import { ownManager } from "#lib/domain/acting/own-manager.ts";
import { findFieldHolders } from "#lib/domain/kube/find-field-holders.ts";
import type { ObjectMeta } from "#lib/domain/kube/kube-object.ts";

/**
 * Judges an object that is as requested; another client may have made the same change meanwhile. managedFields name the
 * last writer of a field: if that is another client, this request did not write it. Our own mark proves that we wrote
 * it, unless it is older than the request. A patch that only removes a field leaves neither, and a cluster's clock may
 * be behind: then the writer stays unknown.
 */
export function assessFound({ metadata, sentAt, what, bodies }: Found): ReadBack {
  const { managedFields } = metadata;
  const holders = bodies.flatMap((body) => listSetFields(body)).map((path) => findFieldHolders(managedFields, path));
  const managers = [...new Set(holders.flat().map(({ manager }) => manager))];
  if (holders.length > 0 && holders.every((each) => each.length > 0) && !managers.includes(ownManager))
    return {
      outcome: "undecidable",
      message: `Read back: the ${what} is as requested, but this request did not change it: ${managers.sort().join(" and ")} wrote it (managedFields).`,
    };
  // Times in managedFields are truncated to the second.
  const since = Math.floor(sentAt.getTime() / 1000) * 1000;
  const isOurs = findFieldHolders(managedFields, []).some(
    ({ manager, at }) => manager === ownManager && at !== null && Date.parse(at) >= since,
  );
  const message = isOurs
    ? `Read back: the ${what} shows the change, with Gatehouse's own mark (managedFields).`
    : `Read back: the ${what} shows the change, but not whether this request or another client made it.`;
  return { outcome: "applied", message };
}

type Found = { metadata: ObjectMeta; sentAt: Date; what: string; bodies: readonly unknown[] };

/**
 * Lists the fields that a merge patch sets to a value. Pod templates are left out: their lists are merged by keys, and
 * a stored plan does not contain their values.
 */
function listSetFields(body: unknown, path: readonly string[] = []): string[][] {
  if (body === null || path.at(-1) === "template") return [];
  if (typeof body !== "object" || Array.isArray(body)) return path.length === 0 ? [] : [[...path]];
  return Object.entries(body).flatMap(([name, value]) =>
    name === "metadata" && path.length === 0 ? [] : listSetFields(value, [...path, name]),
  );
}
