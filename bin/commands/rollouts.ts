import type { RolloutDetail, RolloutSummary } from "#lib/contract/rollout.ts";
import { cleanText } from "../clean-text.ts";
import { parseFlags, parseWords, UsageError } from "../command-line.ts";
import { programName } from "../program-name.ts";
import { type RemoteApi, withApi } from "../remote/api.ts";
import { formatAge, formatAnswer, formatStreamed, formatTable, type Output, parseOutput } from "../remote/format.ts";
import { lookUntil } from "../remote/look-until.ts";
import { describeVersion, describeWait, describeWeight, findRollout, readAll } from "../remote/rollouts.ts";

const filters = {
  cluster: { type: "string" },
  namespace: { type: "string" },
  team: { type: "string" },
  set: { type: "string" },
  label: { type: "string" },
  phase: { type: "string" },
  attention: { type: "string" },
  version: { type: "string" },
  query: { type: "string" },
  output: { type: "string", short: "o" },
} as const;

type Filters = { [Name in keyof typeof filters]?: string | undefined };

/** Runs `gatehouse rollouts list|get|watch`. */
export async function runRollouts([subcommand, ...args]: string[]): Promise<number> {
  if (subcommand === "list") {
    const flags = parseFlags(args, filters);
    return withApi((api) => listRollouts(api, flags));
  }
  if (subcommand === "get") {
    const { words, flags } = parseWords(args, ["NAME"], { output: { type: "string", short: "o" } });
    return withApi((api) => getRollout(api, words[0], parseOutput(flags.output)));
  }
  if (subcommand === "watch") {
    const flags = parseFlags(args, filters);
    return withApi((api) => watchRollouts(api, flags));
  }
  throw new UsageError(`usage: ${programName} rollouts list|get NAME|watch`);
}

const readRollouts = (api: RemoteApi, { output: _, query, ...rest }: Filters) =>
  readAll<RolloutSummary>(api, "/api/v1/rollouts", { ...rest, q: query });

async function listRollouts(api: RemoteApi, flags: Filters): Promise<number> {
  const output = parseOutput(flags.output);
  const rollouts = await readRollouts(api, flags);
  process.stdout.write(output === "table" ? formatRollouts(rollouts) : formatAnswer(rollouts, output));
  return 0;
}

const heads = ["NAMESPACE", "NAME", "KIND", "PHASE", "STEP", "TRAFFIC", "VERSION", "WAITS FOR", "SINCE", "CLUSTER"];

function formatRollouts(rollouts: readonly RolloutSummary[]): string {
  if (rollouts.length === 0) return "no rollouts\n";
  return formatTable(heads, rollouts.map(rowOf));
}

function rowOf(rollout: RolloutSummary): string[] {
  const { namespace, name, kind, phase, providerPhase, step, stepCount, waitingSince, cluster } = rollout;
  return [
    namespace,
    name,
    kind,
    providerPhase ?? phase,
    step === null ? "-" : `${step}/${stepCount}`,
    describeWeight(rollout),
    describeVersion(rollout),
    describeWait(rollout),
    waitingSince === null ? "-" : formatAge(waitingSince, Date.now()),
    cluster,
  ];
}

async function getRollout(api: RemoteApi, name: string, output: Output): Promise<number> {
  const rollout = await findRollout(api, name);
  if (output !== "table") {
    process.stdout.write(formatAnswer(rollout, output));
    return 0;
  }
  process.stdout.write(formatRollouts([rollout]));
  process.stdout.write(formatDetails(rollout));
  return 0;
}

function formatDetails({ message, source, steps, step, notices }: RolloutDetail): string {
  const lines = [
    ...(message === "" ? [] : [message]),
    ...notices.map(({ text }) => text),
    ...(source.fresh ? [] : [`not up to date: ${source.reason ?? source.state}`]),
  ];
  const shown = steps.map(({ index, text }) => `${index === step ? ">" : " "} ${index + 1}  ${text}`);
  return [...(lines.length > 0 ? ["", ...lines] : []), ...(shown.length > 0 ? ["", ...shown] : [])]
    .map((line) => `${cleanText(line)}\n`)
    .join("");
}

/** Prints each rollout that changes, until it is interrupted: a line, a line of JSON, or a YAML document. */
async function watchRollouts(api: RemoteApi, flags: Filters): Promise<number> {
  const output = parseOutput(flags.output);
  const printed = new Map<string, string>();
  const print = async (): Promise<boolean> => {
    for (const rollout of await readRollouts(api, flags)) {
      const text = output === "table" ? `${formatLine(rollout)}\n` : formatStreamed(rollout, output);
      if (printed.get(rollout.id) === text) continue;
      printed.set(rollout.id, text);
      process.stdout.write(output === "table" ? `${new Date().toISOString()}  ${text}` : text);
    }
    return false;
  };
  await lookUntil({ api, signal: untilInterrupted(), concerns: ({ kind }) => kind === "rollout", look: print });
  return 0;
}

function formatLine(rollout: RolloutSummary): string {
  const { namespace, name, phase, providerPhase, step, stepCount, message } = rollout;
  const place = step === null ? "" : `step ${step}/${stepCount}  `;
  const version = describeVersion(rollout);
  return cleanText(
    `${namespace}/${name}  ${providerPhase ?? phase}  ${place}${describeWeight(rollout)}  ${version}  ${message}`.trimEnd(),
  );
}

/** Aborts at the first Ctrl-C, so that a watch ends with exit status 0. */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
