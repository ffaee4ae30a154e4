import { appendFileSync } from "node:fs";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { cutText } from "#lib/util/text.ts";
import { cleanText } from "../clean-text.ts";
import { readConnection } from "./connection.ts";
import { describeVersion, describeWait, describeWeight } from "./rollouts.ts";

/** What a command for pipelines found out about a rollout. */
export type Report = { status: number; outcome: string; text: string; rollout: RolloutDetail };

/**
 * Prints the report of a command as one line, and appends it to `file` in Markdown, as CI systems show it. An error is
 * appended too, and thrown on. Returns the exit status.
 */
export async function report(
  { title, file }: { title: string; file: string | undefined },
  make: () => Promise<Report>,
): Promise<number> {
  try {
    const made = await make();
    const { namespace, name } = made.rollout;
    process.stdout.write(`${cleanText(`${namespace}/${name}: ${made.text}`)}\n`);
    append(file, () => formatReport(title, made, readConnection().url));
    return made.status;
  } catch (error) {
    append(file, () => formatHead(title, "error", error instanceof Error ? error.message : String(error)));
    throw error;
  }
}

/** Formats the report in Markdown, in which no text of a cluster or of the caller is markup. */
export function formatReport(title: string, { outcome, text, rollout }: Report, url: string): string {
  const rows = [
    ["Rollout", rollout.id],
    ["Version", describeVersion(rollout)],
    ["Phase", rollout.providerPhase ?? rollout.phase],
    ["Traffic on the new version", describeWeight(rollout)],
    ["Waits for a person", describeWait(rollout)],
  ];
  const lines = rows.map(([name = "", value = ""]) => `| ${name} | ${escapeMarkdown(value)} |`);
  const link = `[Open in Gatehouse](<${url}${rolloutHref(rollout)}>)`;
  return `${formatHead(title, outcome, text)}| | |\n|---|---|\n${lines.join("\n")}\n\n${link}\n\n`;
}

function formatHead(title: string, outcome: string, text: string): string {
  return `### Gatehouse: ${escapeMarkdown(title)}\n\n**${outcome}**: ${escapeMarkdown(text)}\n\n`;
}

/** Punctuation behind a backslash is no markup (CommonMark 2.4). */
function escapeMarkdown(text: string): string {
  return cutText(cleanText(text).replaceAll(/\s+/g, " "), 1000).replaceAll(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** A summary that cannot be written changes no outcome. */
function append(file: string | undefined, format: () => string): void {
  if (file === undefined || file === "") return;
  try {
    appendFileSync(file, format());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`gatehouse: the summary was not written: ${cleanText(why)}\n`);
  }
}
