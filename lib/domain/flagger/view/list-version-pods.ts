import type { NamedWorkload } from "#lib/domain/delivery/beside.ts";
import type { WorkloadName } from "#lib/domain/delivery/provider.ts";
import type { VersionPods } from "#lib/domain/delivery/version-pods.ts";

/** The target runs the new version; the primary, which Flagger made from it, the stable one. */
export function listVersionPods(
  names: readonly WorkloadName[],
  { workloads, primary }: { workloads: readonly NamedWorkload[]; primary: string },
): VersionPods[] {
  return names.map(({ kind, name }) => ({
    owner: { kind, name },
    side: name === primary ? "stable" : "new",
    revision: null,
    images: workloads.find((workload) => workload.name === name)?.images ?? [],
  }));
}
