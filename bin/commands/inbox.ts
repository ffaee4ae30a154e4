import type { InboxItem } from "#lib/contract/inbox.ts";
import { parseFlags } from "../command-line.ts";
import { withApi } from "../remote/api.ts";
import { formatRequests, readOpenRequests } from "../remote/approvals.ts";
import { formatAge, formatAnswer, formatTable, parseOutput } from "../remote/format.ts";
import { describeWait, describeWeight, readAll } from "../remote/rollouts.ts";

const heads = ["ROLLOUT", "WAITS FOR", "SINCE", "TRAFFIC", "WHY"];

/**
 * Runs `gatehouse inbox`: lists the rollouts that wait for a person, the most urgent first, as on the page. The table is
 * followed by the open requests for approval, unless only some reasons to wait are asked for.
 */
export async function runInbox(args: string[]): Promise<number> {
  const {
    output: asked,
    mine,
    ...filters
  } = parseFlags(args, {
    cluster: { type: "string" },
    attention: { type: "string" },
    team: { type: "string" },
    set: { type: "string" },
    label: { type: "string" },
    mine: { type: "boolean" },
    output: { type: "string", short: "o" },
  });
  const output = parseOutput(asked);
  return withApi(async (api) => {
    const query = { ...filters, mine: mine === true ? "true" : undefined };
    const items = await readAll<InboxItem>(api, "/api/v1/inbox", query);
    if (output !== "table") {
      process.stdout.write(formatAnswer(items, output));
      return 0;
    }
    const requests = query.attention === undefined ? await readOpenRequests(api, { cluster: query.cluster }) : [];
    process.stdout.write(`${formatItems(items)}${formatRequests(requests, Date.now())}`);
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
