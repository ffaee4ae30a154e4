import type { MetricEvidence } from "#lib/contract/evidence.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";
import { showValue } from "#lib/domain/units/show-value.ts";
import { cleanText } from "../clean-text.ts";
import { parseWords } from "../command-line.ts";
import { programName } from "../program-name.ts";
import { withApi } from "../remote/api.ts";
import { formatRequests, readOpenRequests } from "../remote/approvals.ts";
import { drawSparkline, formatAge, formatAnswer, formatTable, parseOutput } from "../remote/format.ts";
import { describeVersion, describeWait, describeWeight, findRollout } from "../remote/rollouts.ts";

/** Runs `gatehouse why`: shows what a rollout waits for, the measurements behind it, and the rollout's actions. */
export async function runWhy(args: string[]): Promise<number> {
  const { words, flags } = parseWords(args, ["NAME"], { output: { type: "string", short: "o" } });
  const output = parseOutput(flags.output);
  return withApi(async (api) => {
    const rollout = await findRollout(api, words[0]);
    if (output !== "table") {
      process.stdout.write(formatAnswer(rollout, output));
      return 0;
    }
    const { id, cluster, namespace, name } = rollout;
    const requests = await readOpenRequests(api, { cluster, namespace, name });
    const own = requests.filter((request) => request.rollout.id === id);
    process.stdout.write(`${explainRollout(rollout, Date.now())}${formatRequests(own, Date.now())}`);
    return 0;
  });
}

/** Formats why a rollout waits: its evidence with the notes of the sources, and the rollout's actions. */
export function explainRollout(rollout: RolloutDetail, nowMs: number): string {
  const { namespace, name, phase, providerPhase, message, notices, waitingSince, evidence, follows, source } = rollout;
  const since = waitingSince === null ? "" : ` for ${formatAge(waitingSince, nowMs)}`;
  const wait = describeWait(rollout);
  const head = [
    `${namespace}/${name}`,
    providerPhase ?? phase,
    describeVersion(rollout),
    `traffic ${describeWeight(rollout)}`,
  ].join("  ");
  return [
    `${cleanText(head)}\n`,
    wait === "-" ? "It does not wait for a person.\n" : `Waits for a person${since}: ${cleanText(wait)}.\n`,
    ...[message, ...notices.map(({ text }) => text)]
      .filter((text) => text !== "")
      .map((text) => `${cleanText(text)}\n`),
    ...(source.fresh ? [] : [`Not up to date: ${cleanText(source.reason ?? source.state)}\n`]),
    ...(evidence.length === 0 ? [] : ["\n", formatTable(metricHeads, evidence.map(metricRow))]),
    ...formatNotes(evidence),
    ...(follows === null ? [] : ["\n", `${cleanText(follows.text)}\n`]),
    "\n",
    formatActions(rollout.allowedActions, `${namespace}/${name}`),
  ].join("");
}

const metricHeads = ["METRIC", "VERDICT", "VALUES", "LAST", "PASSES", "FAILS", "WHY"];

function metricRow({ metric, phase, values, last, unit, pass, fail, thresholds, summary }: MetricEvidence): string[] {
  const limits = thresholds.map(({ value }) => value);
  const shown = last === null ? "none" : showValue(last, unit, limits).replace("\u2009", " ");
  return [metric, phase, drawSparkline(values), shown, pass ?? "-", fail ?? "-", summary];
}

/** Formats the notes that the metrics' sources left beside the newest values. */
function formatNotes(evidence: readonly MetricEvidence[]): string[] {
  const rows = evidence.flatMap(({ metric, metadata = {} }) =>
    Object.entries(metadata).map(([name, text]) => [metric, name, text]),
  );
  return rows.length === 0 ? [] : ["\n", formatTable(["METRIC", "NOTED", "TEXT"], rows)];
}

function formatActions(actions: readonly AllowedAction[], name: string): string {
  const rows = actions.map(({ action, allowed, effect, reason }) => [
    `${programName} ${action} ${name}`,
    allowed ? (effect ?? "") : `not now: ${reason ?? "not allowed"}`,
  ]);
  return rows.length === 0 ? "Nothing can be done here.\n" : formatTable(["COMMAND", "WHAT IT DOES"], rows);
}
