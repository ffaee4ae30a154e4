import { shortenImage } from "#lib/client/describe-images.ts";
import type { LogPod, LogVersion, RolloutLogs } from "#lib/contract/log.ts";

/** The source of one column: all pods of a version, or one pod. Its value in the URL is the owner's or pod's name. */
export type LogSource = { value: string; label: string; version: LogVersion; pods: readonly LogPod[] };

/** The contract's `maxLogPods`; a browser gets no schemas. */
const mostPods = 20;

export type SourceGroup = { group: string; items: LogSource[] };

const sideWords = { new: "new", stable: "stable", other: "" };

/** Names a version as people do: `v2.9.0, new`. */
export function nameLogVersion({ images, side, revision, owner, experiment, run }: LogVersion): string {
  // Its name begins with the run's uid.
  if (run !== null) return `Job ${owner.name.slice(run.uid.length + 1)} of analysis run ${run.name}`;
  const version = images.length > 0 ? images.map(shortenImage).join(", ") : owner.name;
  if (experiment !== null) return `${version}, ${experiment.template} of experiment ${experiment.name}`;
  const words = [version, sideWords[side], revision === null ? "" : `revision ${revision}`];
  return words.filter((word) => word !== "").join(", ");
}

/** Lists the sources to choose from, by version: all its pods first. */
export function listSources({ versions }: Pick<RolloutLogs, "versions">): SourceGroup[] {
  return versions.map((version) => ({
    group: nameLogVersion(version),
    items: [
      {
        value: version.owner.name,
        label: labelOfAll(version.pods.length),
        version,
        // Newest first, and one answer has no more.
        pods: version.pods.slice(0, mostPods),
      },
      ...version.pods.map((pod) => ({ value: pod.name, label: labelOf(pod), version, pods: [pod] })),
    ],
  }));
}

function labelOfAll(count: number): string {
  if (count > mostPods) return `the newest ${mostPods} of ${count} pods`;
  return count === 1 ? "its 1 pod" : `all ${count} pods`;
}

function labelOf({ name, phase, containers }: LogPod): string {
  const restarts = containers.reduce((sum, container) => sum + container.restarts, 0);
  const state = phase === "Running" ? "" : `, ${phase}`;
  return `${name}${state}${restarts === 0 ? "" : `, ${restarts} restart${restarts === 1 ? "" : "s"}`}`;
}

/**
 * Chooses the source of each column: the one in the URL, else the new version beside the stable one. The second is
 * undefined if only one version has pods, or if the URL has `none`. Around a moment, a version without pods is shown
 * too, because the reader expects it.
 */
export function chooseColumns(
  groups: readonly SourceGroup[],
  asked: { left: string | null; right: string | null; at?: Date | null },
): { left: LogSource | undefined; right: LogSource | undefined } {
  const all = groups.flatMap(({ items }) => items);
  const find = (value: string | null) => all.find((source) => source.value === value);
  const isAround = asked.at !== null && asked.at !== undefined;
  const usual = groups.flatMap(({ items }) => items.slice(0, 1)).filter(({ pods }) => isAround || pods.length > 0);
  const of = (side: LogVersion["side"]) => usual.find(({ version }) => version.side === side);
  const left = find(asked.left) ?? of("new") ?? of("stable") ?? usual[0] ?? all[0];
  if (asked.right === "none") return { left, right: undefined };
  const right = find(asked.right) ?? of("stable");
  return { left, right: right?.value === left?.value && asked.right === null ? undefined : right };
}

/** Lists the containers of the pods that are shown, in the order of the first pod that has each. */
export function listContainers(sources: readonly (LogSource | undefined)[]): { name: string; label: string }[] {
  const roles = new Map<string, string>();
  for (const source of sources)
    for (const pod of source?.pods ?? [])
      for (const { name, role } of pod.containers) if (!roles.has(name)) roles.set(name, role);
  return [...roles].map(([name, role]) => ({ name, label: role === "container" ? name : `${name} (${role})` }));
}

/** Returns whether the cluster may still have a log from before the last restart of this container. */
export function hasPrevious(sources: readonly (LogSource | undefined)[], container: string | null): boolean {
  return sources.some((source) => source !== undefined && podsWithPrevious(source, container).length > 0);
}

/** Returns the pods whose container had an instance before. */
export function podsWithPrevious({ pods }: Pick<LogSource, "pods">, container: string | null): LogPod[] {
  return pods.filter(({ containers }) =>
    containers.some((each, index) => (container === null ? index === 0 : each.name === container) && each.hasPrevious),
  );
}
