import { type ActingWorld, actorOf } from "#test/acting-world.ts";

/** Returns a person who may do everything. Each race has its own two: one person's refusals are not all logged. */
function personOf(name: string) {
  return { ...actorOf("operator", { preferred_username: name }), subject: name, name, username: name };
}

/** The result of one race, as seen by the cluster, the callers and the log. */
export type RaceResult = {
  continued: string;
  aborted: string;
  /** Patches that the cluster accepted, in order. */
  taken: string[];
  isAborted: boolean;
  outcomes: string[];
};

/** Which of the two is requested first; `between`: the abort runs while the continue's patch is in flight. */
export const raceOrders = ["continue", "abort", "between"] as const;

/** Lets one person continue and the other abort the same paused rollout at the same time. */
export async function racePair(world: ActingWorld, order: (typeof raceOrders)[number]): Promise<RaceResult> {
  const rollout = await world.addRollout();
  const { namespace } = rollout.path;
  const taken: string[] = [];
  let aborting: Promise<string> | undefined;
  world.setIntercept(async (request, send) => {
    if (request.method !== "PATCH" || !request.path.includes(`/${namespace}/`)) return send();
    const action = JSON.stringify(request.body).includes('"abort":true') ? "abort" : "continue";
    if (order === "between" && action === "continue") {
      aborting ??= ask("abort");
      await aborting;
    }
    const answer = await send();
    if (answer.status < 300) taken.push(action);
    return answer;
  });
  const expect = await rollout.look();
  const ask = (action: "continue" | "abort") =>
    world.act({ rollout, action, expect, actor: personOf(`${action}s-${namespace}`) }).then(
      ({ state }) => state,
      (error: { code?: string }) => `refused ${error.code}`,
    );
  if (order === "abort") aborting = ask("abort");
  const continuing = ask("continue");
  if (order === "continue") aborting = ask("abort");
  const continued = await continuing;
  const aborted = (await aborting) ?? "never asked";
  world.setIntercept(undefined);
  const { status } = rollout.read();
  return {
    continued,
    aborted,
    taken,
    isAborted: status.abort === true,
    outcomes: await world.outcomesOf(rollout),
  };
}

/**
 * Finds what is wrong with a race; undefined if nothing is. The abort always takes effect. The continue takes effect
 * before it or not at all, and reports which; both leave their intent and their outcome.
 */
export function findRaceFault(result: RaceResult): string | undefined {
  const { continued, aborted, taken, isAborted, outcomes } = result;
  if (aborted !== "applied" || !isAborted) return "the abort did not hold";
  if (taken.filter((action) => action === "abort").length !== 1) return "the cluster was told to abort more than once";
  if (taken.at(-1) !== "abort") return "the cluster was told to continue what was aborted";
  const wasContinued = taken.length > 1;
  if (taken.length > 2 || wasContinued !== (continued === "applied")) return "the continue says what did not happen";
  if (!wasContinued && !["refused stale_view", "refused not_allowed_now", "refused conflict"].includes(continued))
    return `the continue was answered ${continued}`;
  const count = (entry: string) => outcomes.filter((outcome) => outcome === entry).length;
  if (count("action.abort intent") !== 1 || count("action.abort applied") !== 1) return "the log lacks the abort";
  const reported = count("action.continue applied") + count("action.continue refused");
  if (reported !== 1 || (wasContinued && count("action.continue intent") !== 1)) return "the log lacks the continue";
  return undefined;
}
