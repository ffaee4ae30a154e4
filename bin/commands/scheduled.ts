import { nameWithUsername } from "#lib/client/describe-approval.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { parseFlags, parseWords, UsageError } from "../command-line.ts";
import { programName } from "../program-name.ts";
import { withApi } from "../remote/api.ts";
import { formatAnswer, formatTable, parseOutput } from "../remote/format.ts";
import { formatAt } from "../remote/parse-at.ts";

const path = "/api/v1/scheduled-actions";
const heads = ["ID", "CLUSTER", "ROLLOUT", "ACTION", "AT", "STATE", "BY", "REASON"];
const output = { output: { type: "string", short: "o" } } as const;

/** Runs `gatehouse scheduled`: lists what is to be done later and what was not done in the last day, or withdraws one. */
export async function runScheduled([word, ...args]: string[]): Promise<number> {
  if (word === "list") return list(args);
  if (word === "withdraw") return withdraw(args);
  throw new UsageError(`usage: ${programName} scheduled list | withdraw ID`);
}

async function list(args: string[]): Promise<number> {
  const { output: asked, ...filters } = parseFlags(args, {
    cluster: { type: "string" },
    namespace: { type: "string" },
    name: { type: "string" },
    ...output,
  });
  const format = parseOutput(asked);
  return withApi(async (api) => {
    const { items } = await api.get<{ items: ScheduledAction[] }>(path, filters);
    process.stdout.write(format === "table" ? formatScheduled(items) : formatAnswer(items, format));
    return 0;
  });
}

async function withdraw(args: string[]): Promise<number> {
  const {
    words: [id],
    flags,
  } = parseWords(args, ["ID"], output);
  const format = parseOutput(flags.output);
  return withApi(async (api) => {
    const withdrawn = await api.remove<ScheduledAction>(`${path}/${encodeURIComponent(id)}`);
    process.stdout.write(format === "table" ? formatScheduled([withdrawn]) : formatAnswer(withdrawn, format));
    return 0;
  });
}

/** One that was not done has the reason in place of its own: that says what to do now. */
function formatScheduled(items: readonly ScheduledAction[]): string {
  if (items.length === 0) return "nothing is scheduled\n";
  return formatTable(
    heads,
    items.map(({ id, rollout, action, dueAt, state, message, reason, requestedBy, requestedByUsername }) => [
      id,
      rollout.cluster,
      `${rollout.namespace}/${rollout.name}`,
      action,
      formatAt(new Date(dueAt)),
      state,
      nameWithUsername(requestedBy, requestedByUsername),
      message === "" ? (reason ?? "-") : message,
    ]),
  );
}
