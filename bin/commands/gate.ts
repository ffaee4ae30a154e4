import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { parseTimeFlag, parseWords } from "../command-line.ts";
import { withApi } from "../remote/api.ts";
import { followRollout } from "../remote/follow-rollout.ts";
import { type Report, report } from "../remote/report.ts";
import { describeVersion, findRollout } from "../remote/rollouts.ts";
import { stateOf } from "./wait.ts";

/** Exit statuses, for pipelines. */
const statuses = { open: 0, closed: 3, timeout: 4 };

/**
 * Runs `gatehouse gate NAME`: says whether a new version may be released now. Exit status 0: yes; 3: no; 4: not within
 * `--timeout`.
 */
export async function runGate(args: string[]): Promise<number> {
  const { words, flags } = parseWords(args, ["NAME"], { timeout: { type: "string" }, summary: { type: "string" } });
  const timeoutMs = flags.timeout === undefined ? undefined : parseTimeFlag("--timeout", flags.timeout);
  const ask = () =>
    withApi(async (api): Promise<Report> => {
      const first = await findRollout(api, words[0]);
      const { verdict, rollout } =
        timeoutMs === undefined
          ? { verdict: judgeGate(first), rollout: first }
          : await followRollout({ api, first, judge: judgeGate, timeoutMs });
      const { outcome: found, text } = verdict;
      const isLate = found === "waiting" && timeoutMs !== undefined;
      const outcome = isLate ? "timeout" : found === "waiting" ? "closed" : found;
      return { status: statuses[outcome], rollout, outcome, text: isLate ? `not open within the time; ${text}` : text };
    });
  return report({ title: `gate ${words[0]}`, file: flags.summary }, ask);
}

type Seen = Pick<
  RolloutDetail,
  | "source"
  | "presence"
  | "advanceRefused"
  | "allowedActions"
  | "aborted"
  | "attention"
  | "phase"
  | "providerPhase"
  | "stableRevisionKey"
  | "revisionKey"
  | "findings"
  | "images"
>;

/** Judges whether a new version may be released now. `waiting`: not now, for the reasons in `text`. */
export function judgeGate(rollout: Seen): { outcome: "open" | "waiting"; text: string } {
  const reasons = listReasons(rollout);
  if (reasons.length > 0) return { outcome: "waiting", text: `closed: ${reasons.join("; ")}` };
  return { outcome: "open", text: `open: ${stateOf(rollout)}: ${describeVersion(rollout)}` };
}

function listReasons(rollout: Seen): string[] {
  const { source, presence, advanceRefused, allowedActions, revisionKey, stableRevisionKey, findings } = rollout;
  // What is not up to date may hide a release, a freeze or a finding.
  if (!source.fresh) return [`Gatehouse is not up to date: ${source.reason ?? source.state}`];
  if (presence !== "live") return ["the cluster has it no longer"];
  if (advanceRefused !== null) return [advanceRefused.reason];
  const state = stateOf(rollout);
  const isUnderWay =
    state !== "aborted" && (state === "paused" || state === "progressing" || revisionKey !== stableRevisionKey);
  const advancing = allowedActions.filter((action) => !action.protective);
  const freeze = advancing.find(({ needs }) => needs.freeze !== null)?.needs.freeze;
  return [
    ...(advancing.length === 0 ? ["it is not known whether a freeze is in force"] : []),
    ...(freeze === undefined || freeze === null ? [] : [freeze.because]),
    ...(isUnderWay ? [`a release is under way: ${state}: ${describeVersion(rollout)}`] : []),
    ...(findings.worst === "critical" ? ["it has a critical finding"] : []),
  ];
}
