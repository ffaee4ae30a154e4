import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { Action, ActionAccepted, ActionPlanAnswer, RolloutActionRequest } from "#lib/contract/action.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { expectationOf } from "#packages/client/src/expectation-of.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { cleanText } from "../clean-text.ts";
import { CommandError, parseInteger, parseTimeFlag, parseWords, UsageError } from "../command-line.ts";
import { actOnVersion } from "../remote/act-on-version.ts";
import { actionWords, isActionWord, namedBy } from "../remote/action-words.ts";
import { postOnce, type RemoteApi, withApi } from "../remote/api.ts";
import { assertReason } from "../remote/assert-reason.ts";
import { formatAnswer, parseOutput } from "../remote/format.ts";
import { formatAt, parseAt } from "../remote/parse-at.ts";
import { findRollout } from "../remote/rollouts.ts";

const flagTypes = {
  reason: { type: "string" },
  "to-revision": { type: "string" },
  container: { type: "string" },
  image: { type: "string" },
  approval: { type: "string" },
  "break-glass": { type: "boolean" },
  at: { type: "string" },
  version: { type: "string" },
  repository: { type: "string" },
  cluster: { type: "string", multiple: true },
  namespace: { type: "string", multiple: true },
  yes: { type: "boolean" },
  timeout: { type: "string" },
  output: { type: "string", short: "o" },
} as const;

type Flags = ReturnType<typeof parseWords<typeof flagTypes, ["ACTION", "NAME"]>>["flags"];

/**
 * Runs `gatehouse ACTION NAME`: shows the effect, asks for confirmation, requests the action through Gatehouse with all
 * its guards, and waits for the effect. Exit status 0: it took effect. With `--version` instead of NAME it acts on every
 * rollout of that version.
 */
export async function runAct(args: string[]): Promise<number> {
  if (args.some((word) => word === "--version" || word.startsWith("--version="))) return runOnVersion(args);
  const { words, flags } = parseWords(args, ["ACTION", "NAME"], flagTypes);
  const [word, name] = words;
  if (!isActionWord(word))
    throw new UsageError(`unknown action ${JSON.stringify(word)}; actions: ${actionWords.join(" ")}`);
  const ofMany = (["repository", "cluster", "namespace"] as const).find((flag) => flags[flag] !== undefined);
  if (ofMany !== undefined) throw new UsageError(`--${ofMany} belongs to --version`);
  const timeoutMs = parseTimeFlag("--timeout", flags.timeout ?? "60s");
  const output = parseOutput(flags.output);
  const params = readParams(flags);
  const at = readAt(flags);
  return withApi(async (api) => {
    const rollout = await findRollout(api, name);
    const offered = chooseAction(rollout, word, at);
    const plan = await api.post<ActionPlanAnswer>(`${rolloutApiPath(rollout)}/action-plan`, {
      action: offered.action,
      ...params,
    });
    if (isBarred(plan, at))
      throw new CommandError(`${plan.action} is not allowed now: ${cleanText(plan.reason ?? "")}`);
    const reason = flags.reason ?? "";
    assertReason(plan.action, [plan.needs], reason);
    if (!flags.yes && !(await isConfirmed(rollout, plan, at))) throw new CommandError("nothing was done");
    const request: RolloutActionRequest = {
      action: plan.action,
      ...params,
      ...(reason === "" ? {} : { reason }),
      ...(flags["break-glass"] ? { breakGlass: true } : {}),
      ...(flags.approval === undefined ? {} : { approval: flags.approval }),
      // Gatehouse refuses the request if the rollout has changed since the person saw it.
      expect: expectationOf(rollout, plan),
    };
    if (at !== undefined) return schedule(api, { rollout, request: { ...request, dueAt: at.toISOString() }, output });
    const accepted = await requestAction<ActionAccepted>(api, rollout, request);
    const action = await untilEffective(api, accepted, timeoutMs);
    process.stdout.write(output === "table" ? describeOutcome(action) : formatAnswer(action, output));
    return action.state === "effective" ? 0 : 1;
  });
}

async function runOnVersion(args: string[]): Promise<number> {
  const {
    words: [word],
    flags,
  } = parseWords(args, ["ACTION"], flagTypes);
  const { version = "", repository, cluster = ["*"], namespace = ["*"], reason, yes = false } = flags;
  const single = (["to-revision", "container", "image", "approval", "break-glass", "at"] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (single !== undefined) throw new UsageError(`--${single} is for one rollout: give its NAME instead of --version`);
  return actOnVersion({
    ...{ word, version, repository, clusters: cluster, namespaces: namespace, reason, yes },
    timeoutMs: parseTimeFlag("--timeout", flags.timeout ?? "60s"),
    output: parseOutput(flags.output),
  });
}

function readParams(flags: Flags): Pick<RolloutActionRequest, "toRevision" | "container" | "image"> {
  const { "to-revision": toRevision, container, image } = flags;
  return {
    ...(toRevision === undefined
      ? {}
      : { toRevision: parseInteger({ flag: "--to-revision", text: toRevision, fallback: 0, min: 0, max: 1e9 }) }),
    ...(container === undefined ? {} : { container }),
    ...(image === undefined ? {} : { image }),
  };
}

/** Returns the time for which the action is scheduled; undefined for now. */
function readAt(flags: Flags): Date | undefined {
  if (flags.at === undefined) return undefined;
  if (flags.approval !== undefined || flags["break-glass"])
    throw new UsageError("--approval and --break-glass cannot be scheduled: act at that time");
  return parseAt(flags.at, new Date());
}

/** A freeze may have ended by the time for which it is scheduled, and its set may have reached the pause. */
function isBarred({ allowed, reasonCode }: AllowedAction, at: Date | undefined): boolean {
  return !allowed && (at === undefined || (reasonCode !== "frozen" && reasonCode !== "barrier"));
}

function chooseAction(
  { allowedActions, namespace, name }: RolloutDetail,
  word: string,
  at: Date | undefined,
): AllowedAction {
  const offered = namedBy(word).flatMap((action) => allowedActions.filter((each) => each.action === action));
  const found = offered.find(({ allowed }) => allowed) ?? offered[0];
  if (found === undefined)
    throw new CommandError(`${namespace}/${name} cannot be asked to ${word}: it has no such action`);
  if (isBarred(found, at))
    throw new CommandError(`${found.action} is not allowed now: ${cleanText(found.reason ?? "")}`);
  return found;
}

async function isConfirmed(
  { namespace, name, cluster }: RolloutDetail,
  plan: ActionPlanAnswer,
  at: Date | undefined,
): Promise<boolean> {
  if (process.stdin.isTTY !== true)
    throw new UsageError("--yes is missing: there is no terminal to ask for confirmation");
  const when = at === undefined ? "" : ` at ${formatAt(at)}`;
  const lines = [
    `${plan.label}: ${namespace}/${name} in ${cluster}${when}`,
    plan.effect ?? "",
    plan.needs.freeze?.because ?? "",
    plan.needs.barrier?.because ?? "",
    ...(plan.warnings ?? []),
  ];
  process.stderr.write(
    lines
      .filter((line) => line !== "")
      .map((line) => `${cleanText(line)}\n`)
      .join(""),
  );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question("Do it? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function requestAction<Answer>(api: RemoteApi, rollout: RolloutDetail, request: RolloutActionRequest): Promise<Answer> {
  return postOnce(api, `${rolloutApiPath(rollout)}/actions`, request);
}

/** Schedules the action, and does not wait for it. */
async function schedule(
  api: RemoteApi,
  {
    rollout,
    request,
    output,
  }: { rollout: RolloutDetail; request: RolloutActionRequest; output: ReturnType<typeof parseOutput> },
): Promise<number> {
  const scheduled = await requestAction<ScheduledAction>(api, rollout, request);
  const { action, dueAt, id } = scheduled;
  const at = formatAt(new Date(dueAt));
  const line = `${action} ${rollout.namespace}/${rollout.name}: scheduled for ${at}, if nothing has changed by then (${id}).`;
  process.stdout.write(output === "table" ? `${cleanText(line)}\n` : formatAnswer(scheduled, output));
  return 0;
}

async function untilEffective(api: RemoteApi, { id }: ActionAccepted, timeoutMs: number): Promise<Action> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const isLast = Date.now() >= until;
    try {
      const action = await api.get<Action>(`/api/v1/actions/${encodeURIComponent(id)}`);
      if (isLast || action.state === "effective" || action.final) return action;
    } catch (error) {
      if (isLast || !isGatehouseError(error) || !error.isTransient) throw error;
    }
    await sleep(500);
  }
}

function describeOutcome({ action, rollout, state, message, auditSeq }: Action): string {
  const entry = auditSeq === null ? "" : `, audit entry ${auditSeq}`;
  const line = cleanText(`${action} ${rollout.namespace}/${rollout.name}: ${state}${entry}. ${message}`);
  return `${line.trimEnd()}\n`;
}
