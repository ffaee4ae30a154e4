import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import type { CanaryStatus } from "#sandbox/flagger/canary-types.ts";

/**
 * Projects a Canary's status to text: phase, counts, which specs were applied and promoted, and the condition. Hashes
 * are numbered in order of first appearance.
 */
export function createStateNotes(): (object: Pick<KubeObject, "status">) => string {
  const names = new Map<string, string>();
  const nameOf = (hash: string | undefined): string => {
    if (hash === undefined || hash === "") return "-";
    const name = names.get(hash) ?? `v${names.size + 1}`;
    names.set(hash, name);
    return name;
  };
  return (object) => {
    const status = (object.status ?? {}) as Partial<CanaryStatus>;
    const { phase = "-", canaryWeight = 0, iterations = 0, failedChecks = 0, conditions = [] } = status;
    const specs = `applied ${nameOf(status.lastAppliedSpec)} promoted ${nameOf(status.lastPromotedSpec)}`;
    const [condition] = conditions;
    const promoted = condition === undefined ? "-" : `${condition.status} ${condition.reason}: ${condition.message}`;
    return `${phase} weight ${canaryWeight} iterations ${iterations} failed ${failedChecks}, ${specs}, ${promoted}`;
  };
}
