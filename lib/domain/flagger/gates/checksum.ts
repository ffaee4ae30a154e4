import { digestOf } from "#lib/domain/storable/digest-of.ts";
import { fnv1a } from "#lib/util/fnv1a.ts";
import { isRecord } from "#lib/util/json.ts";

/**
 * The fields of a Canary's status that the checksum of a hook call covers. Absent and null are the same; `{}` is not.
 */
export type ChecksumInput = {
  trackedConfigs?: Readonly<Record<string, string>> | null | undefined;
  lastAppliedSpec?: string | null | undefined;
};

/**
 * Computes the `checksum` that Flagger sends with every hook call, so that an approval can be bound before the first
 * call. Takes values as the cluster gave them: redacted ones give another checksum. Mirrors `canaryChecksum`
 * (pkg/controller/webhook.go) and `ComputeHash` (pkg/canary/spec.go) of Flagger 1.44.0: FNV-1a of a Go dump.
 */
export function computeChecksum({ trackedConfigs, lastAppliedSpec }: ChecksumInput): string {
  const fields = `TrackedConfigs:(*map[string]string)${dumpMap(trackedConfigs)} LastAppliedSpec:(string)${lastAppliedSpec ?? ""}`;
  const dump = `(struct { TrackedConfigs *map[string]string; LastAppliedSpec string }){${fields}}`;
  return encodeSafely(String(fnv1a(dump)));
}

function dumpMap(map: ChecksumInput["trackedConfigs"]): string {
  if (map === undefined || map === null) return "<nil>";
  const entries = Object.entries(map).toSorted(([one], [other]) => compareBytes(one, other));
  return `map[${entries.map(([key, value]) => `${key}:${value}`).join(" ")}]`;
}

/** Compares as Go does, by the bytes of UTF-8: JavaScript compares UTF-16 units. */
function compareBytes(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => [...text].map((letter) => letter.codePointAt(0) ?? 0));
  for (const [at, point] of (left ?? []).entries()) {
    const difference = point - (right?.[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return (left?.length ?? 0) - (right?.length ?? 0);
}

/** Letters and digits that form no words: `SafeEncodeString` of k8s.io/apimachinery/pkg/util/rand. */
const safeLetters = "bcdfghjklmnpqrstvwxz2456789";

function encodeSafely(text: string): string {
  return [...text].map((letter) => safeLetters[letter.charCodeAt(0) % safeLetters.length]).join("");
}

/**
 * Hashes the pod template of a live Deployment or DaemonSet, as the API server returned it: 64 lowercase hex digits.
 * Undefined if it has none. An approval to start is bound to it, since Flagger's checksum is that of the previous
 * revision until the start.
 */
export function hashPodTemplate(workload: unknown): string | undefined {
  if (!isRecord(workload) || !isRecord(workload.spec) || !isRecord(workload.spec.template)) return undefined;
  return digestOf(workload.spec.template);
}
