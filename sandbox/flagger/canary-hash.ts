import { hashText } from "#sandbox/controllers/template-hash.ts";
import type { CanaryStatus } from "./canary-types.ts";

/**
 * Computes the checksum of a hook's payload (pkg/controller/webhook.go canaryChecksum of flagger 1.44.0): FNV-32a of
 * the dump that go-spew writes of the tracked configs and the last applied spec. Absent and empty configs differ.
 */
export function computeChecksum({
  trackedConfigs,
  lastAppliedSpec = "",
}: Pick<CanaryStatus, "trackedConfigs" | "lastAppliedSpec">): string {
  const entries = Object.entries(trackedConfigs ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  const map = `map[${entries.map(([name, hash]) => `${name}:${hash}`).join(" ")}]`;
  const configs = `(*map[string]string)${trackedConfigs === undefined ? "<nil>" : map}`;
  const type = "(struct { TrackedConfigs *map[string]string; LastAppliedSpec string })";
  return hashText(`${type}{TrackedConfigs:${configs} LastAppliedSpec:(string)${lastAppliedSpec}}`);
}
