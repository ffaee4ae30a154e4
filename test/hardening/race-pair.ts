import type { ClusterRequest } from "#lib/server/kubernetes/cluster-client-types.ts";
import { type ActingWorld, actorOf } from "#test/acting-world.ts";

/** Two people who both may do everything. */
const people = ["first", "second"].map((name) => ({
  ...actorOf("operator", { preferred_username: name }),
  subject: name,
  name,
  username: name,
}));

/** What became of one race, as far as the cluster, the callers and the log tell. */
export type RaceResult = {
  continued: string;
  aborted: string;
  /** Patches that the cluster took, in order. */
  taken: string[];
  isAborted: boolean;
  outcomes: string[];
};

/** Lets one person continue and the other abort the same paused rollout at the same moment; `first` is asked first. */
export async function racePair(world: ActingWorld, first: "continue" | "abort"): Promise<RaceResult> {
  const rollout = await world.addRollout();
  const { namespace } = rollout.path;
  const taken: string[] = [];
  const stopWatching = watchPatches(world, (request, status) => {
    if (!request.path.includes(`/${namespace}/`) || status >= 300) return;
    taken.push(JSON.stringify(request.body).includes('"abort":true') ? "abort" : "continue");
  });
  const expect = await rollout.look();
  const ask = (action: "continue" | "abort") =>
    world.act({ rollout, action, expect, actor: people[action === "continue" ? 0 : 1] ?? actorOf("operator") }).then(
      ({ state }) => state,
      (error: { code?: string }) => `refused ${error.code}`,
    );
  const second = first === "continue" ? "abort" : "continue";
  const [one, other] = await Promise.all([ask(first), ask(second)]);
  stopWatching();
  const { status } = rollout.read();
  return {
    continued: first === "continue" ? one : other,
    aborted: first === "abort" ? one : other,
    taken,
    isAborted: status.abort === true,
    outcomes: await world.outcomesOf(rollout),
  };
}

/**
 * What must not be said of a race: undefined where all is well. The abort is always done. The continue is done before
 * it or not at all, and says so; both leave their intent and their outcome.
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
  const told = count("action.continue applied") + count("action.continue refused");
  if (told !== 1 || (wasContinued && count("action.continue intent") !== 1)) return "the log lacks the continue";
  return undefined;
}

function watchPatches(world: ActingWorld, onAnswer: (request: ClusterRequest, status: number) => void): () => void {
  world.setIntercept(async (request, send) => {
    const answer = await send();
    if (request.method === "PATCH") onAnswer(request, answer.status);
    return answer;
  });
  return () => world.setIntercept(undefined);
}
