import { formatExact } from "#components/ui/format-time.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { PolicyReplay, ReplayedRule } from "#lib/contract/policy-replay.ts";
import { findEntry } from "#lib/domain/acting/action-catalogue.ts";
import { formatCount, formatCountOf, formatList } from "#lib/util/words.ts";

const verdicts = {
  refuse: "Would have refused",
  "require a reason": "Would have required a reason for",
  "require a ticket": "Would have required a ticket for",
  "require a second person": "Would have required a second person for",
  "require more approvals": "Would have required more approvals for",
} as const;

/** Describes in sentences what a rule would have decided, and how long refused actions would have waited. */
export function describeReplayedRule(
  { kind, byAction, waitMinutes }: Pick<ReplayedRule, "kind" | "byAction" | "waitMinutes">,
  total: number,
): string {
  const sentences = [...Map.groupBy(byAction, ({ would }) => would)].map(([would, own]) => {
    const named = own.map(({ action, count, of }) => `${findEntry(action)?.word ?? action} (${count} of ${of})`);
    return `${verdicts[would]} ${sum(own)} of ${formatCountOf(total, "action")}: ${formatList(named)}.`;
  });
  if (sentences.length === 0) return `Would have changed nothing: 0 of ${formatCountOf(total, "action")}.`;
  return [...sentences, ...(kind === "freeze" ? [describeWaits(waitMinutes, sum(byAction))] : [])].join(" ");
}

function sum(counted: readonly { count: number }[]): number {
  return counted.reduce((all, { count }) => all + count, 0);
}

function describeWaits(waits: ReplayedRule["waitMinutes"], refused: number): string {
  if (waits === null) return "How long they would have waited is unknown.";
  const rest = waits.of === refused ? "" : `, of the ${waits.of} whose end is known`;
  return `They would have waited ${formatDuration(waits.median * 60_000)} (median${rest}).`;
}

/** Describes whether the policies of the time explain the recorded refusals; undefined without refusals. */
export function describeCheck({
  refusals,
  reproduced,
  unknown,
  knownSince,
}: PolicyReplay["check"]): string | undefined {
  const all = refusals === 1 ? "the recorded refusal" : `all ${formatCount(refusals)} recorded refusals`;
  const checked = reproduced === refusals ? all : `${reproduced} of ${formatCount(refusals)} recorded refusals`;
  const before = knownSince === null ? "" : ` before ${formatExact(knownSince)}`;
  const sentences = [
    ...(refusals === 0 ? [] : [`The policies in force at the time reproduce ${checked}.`]),
    ...(unknown === 0
      ? []
      : [`${formatCountOf(unknown, "refusal")} cannot be checked: the policies${before} are unknown.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}
