import type { SourceState } from "#lib/contract/system.ts";
import type { RetentionPlan } from "./plan-retention.ts";

/** One reason not to delete now; `code` is for metrics and tests, `text` for people. */
export type Obstacle = { code: "config" | "source" | "share"; text: string };

export type JudgedSource = {
  cluster: string;
  kind: string;
  namespace: string;
  state: SourceState;
  /** Null: never reached. */
  lastContact: Date | null;
  firstSeen: Date | null;
};

/** Deletion by age takes a little each day. A larger share is a wrong clock or a mistyped age. */
const maxSharePercent = 50;
const dayMs = 86_400_000;

/**
 * Returns why nothing may be deleted by age now (FC-30). Sources that will deliver nothing more count as settled and
 * are ignored: those of clusters that the config no longer names, of kinds that the cluster does not have, and those
 * denied for longer than a day.
 */
export function findRetentionObstacles(input: {
  /** Undefined if the config on disk is the one in force. */
  configTrouble: string | undefined;
  /** Only of configured clusters. */
  sources: readonly JudgedSource[];
  /** Ids of sources that the config requires but that have not been recorded yet. */
  unknownSources: readonly string[];
  plan: RetentionPlan;
  now: Date;
}): Obstacle[] {
  const { configTrouble, sources, unknownSources, plan, now } = input;
  const { due, total } = plan.measurements;
  const unsettled = sources.filter((source) => !isSettled(source, now));
  const obstacles: Obstacle[] = [];
  if (configTrouble !== undefined) obstacles.push({ code: "config", text: `the config: ${configTrouble}` });
  obstacles.push(
    ...unsettled.map((source): Obstacle => ({ code: "source", text: `${nameOf(source)} is ${source.state}` })),
    ...unknownSources.map((id): Obstacle => ({ code: "source", text: `${id} has never been recorded` })),
  );
  if (due * 100 > total * maxSharePercent)
    obstacles.push({
      code: "share",
      text: `${due} of ${total} measurements would go, more than ${maxSharePercent} %: check retention in the config, or run gatehouse retention --override --reason TEXT`,
    });
  return obstacles;
}

function isSettled({ state, lastContact, firstSeen }: JudgedSource, now: Date): boolean {
  if (state === "live" || state === "absent") return true;
  if (state !== "denied") return false;
  const since = lastContact ?? firstSeen;
  return since !== null && now.getTime() - since.getTime() > dayMs;
}

function nameOf({ cluster, kind, namespace }: JudgedSource): string {
  return `${cluster} ${kind}${namespace === "" ? "" : ` in ${namespace}`}`;
}
