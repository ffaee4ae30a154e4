import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LimitName, limitNames, oversightLimits } from "#lib/domain/oversight/limits.ts";
import type { RuleSubject } from "#lib/domain/oversight/rule.ts";
import { type RuleWords, ruleCatalogue } from "#lib/domain/oversight/rule-catalogue.ts";

export const findingsDocFile = join(import.meta.dirname, "../docs/findings.md");

const subjects: readonly [RuleSubject, string][] = [
  ["rollout", "Rollouts"],
  ["cluster", "Clusters"],
  ["source", "Sources"],
  ["controller", "Controllers"],
];

/** Returns the text of docs/findings.md, from the rules and limits themselves. */
export function formatFindingsDoc(): string {
  return `# Findings

This page is generated from the rules (\`lib/domain/oversight\`) by \`node scripts/findings-doc.ts\`. Do not edit it.

A finding is something that a person should know: what it is, since when, its evidence, and what to do. The recorder applies every rule to each rollout that has changed, to the recorded history after it was down, and to every cluster, source and controller. A finding closes by itself when it is over; one that comes back is open again. Acknowledge it to say that you have seen it: it no longer counts as open until it becomes more severe. An open critical finding is also in the inbox.

\`oversight\` in the config turns rules off, sets limits, and turns the hold on, for patterns of clusters, namespaces and rollouts ([configuration.md](configuration.md#findings-and-holds)). Rules about clusters, sources and controllers are turned off by entries that name clusters only; they have no limits.

![The list of findings: severity, title, rollout and since when](images/findings.webp)

${subjects.map(formatSubject).filter(Boolean).join("\n")}
## Limits

The keys of an entry of \`oversight\`:

| key | default | what |
|---|---|---|
${limitNames.map(formatLimit).join("\n")}
`;
}

function formatSubject([about, title]: readonly [RuleSubject, string]): string {
  const rules = ruleCatalogue.filter((rule) => rule.about === about);
  if (rules.length === 0) return "";
  return `## ${title}\n\n${rules.map(formatRule).join("\n")}`;
}

function formatRule({ id, name, severity, explanation, advice }: RuleWords): string {
  return `### ${name}\n\n\`${id}\`, at most ${severity}.\n\n${explanation}\n\n**What to do.** ${advice}\n`;
}

function formatLimit(name: LimitName): string {
  const { default: value, unit, about, min, max } = oversightLimits[name];
  return `| \`${name}\` | ${value} | ${about}, in ${unit} (${min} to ${max}) |`;
}

// node scripts/findings-doc.ts: writes the page.
if (import.meta.main) writeFileSync(findingsDocFile, formatFindingsDoc());
