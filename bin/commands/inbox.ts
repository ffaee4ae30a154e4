import type { InboxItem } from "#lib/contract/inbox.ts";
import { parseFlags } from "../command-line.ts";
import { withApi } from "../remote/api.ts";
import { formatAge, formatAnswer, formatTable, parseOutput } from "../remote/format.ts";
import { describeWait, describeWeight, readAll } from "../remote/rollouts.ts";

const heads = ["ROLLOUT", "WAITS FOR", "SINCE", "TRAFFIC", "WHY"];

/** Runs `gatehouse inbox`: lists the rollouts that wait for a person, the most urgent first, as on the page. */
export async function runInbox(args: string[]): Promise<number> {
  const { output: asked, ...query } = parseFlags(args, {
    cluster: { type: "string" },
    attention: { type: "string" },
    output: { type: "string", short: "o" },
  });
  const output = parseOutput(asked);
  return withApi(async (api) => {
    const items = await readAll<InboxItem>(api, "/api/v1/inbox", query);
    process.stdout.write(output === "table" ? formatItems(items) : formatAnswer(items, output));
    return 0;
  });
}

function formatItems(items: readonly InboxItem[]): string {
  if (items.length === 0) return "nothing waits for a person\n";
  return formatTable(
    heads,
    items.map(({ rollout, sentence }) => [
      `${rollout.namespace}/${rollout.name}`,
      describeWait(rollout),
      rollout.waitingSince === null ? "-" : formatAge(rollout.waitingSince, Date.now()),
      describeWeight(rollout),
      sentence,
    ]),
  );
}
