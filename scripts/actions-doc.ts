import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ActionEntry, type ActionName, actionNames, entryOf } from "#lib/domain/acting/action-catalogue.ts";

const root = join(import.meta.dirname, "..");

type Patches = ActionEntry["patches"];

const ofFlagger: readonly Patches[] = ["nothing", "canary", "target"];

/** A line that lists actions: how it begins, which they are, and how it goes on. */
type Line = readonly [before: string, patches: readonly Patches[], after: string];

const rightsLines: readonly Line[] = [
  ["| ", ["status"], " | `patch` rollouts/status;"],
  ["| ", ["spec"], " | `patch` rollouts |"],
  ["| ", ["nothing"], " | nothing more:"],
  ["| ", ["canary"], " | `patch` canaries |"],
  ["| ", ["target"], " | `patch` deployments or daemonsets (apps) |"],
];

const roleLines: readonly Line[] = [
  ["  # ", ["status"], ": the status"],
  ["  # ", ["spec", "template"], ": the spec"],
  ["  # ", ["nothing"], ": no patch"],
  ["  # ", ["canary"], ": the canary"],
];

/** The text of each file with the lines that list actions, from the catalogue. */
export const actionDocs: Readonly<Record<string, (text: string) => string>> = {
  "docs/audit-events.md": (text) => withTable(text, "| code | request |", actionNames.map(formatCode)),
  "docs/access.md": (text) =>
    withTable(text, "| direction | actions |", ["protective", "advancing"].map(formatDirection)),
  "docs/acting-at-clusters.md": (text) => rightsLines.reduce(withLine, text),
  "deploy/rbac-act.yaml": (text) => roleLines.reduce(withLine, text),
};

function formatCode(name: ActionName): string {
  return `| \`action.${name}\` | ${entryOf(name).request} |`;
}

function formatDirection(direction: string): string {
  const names = actionNames.filter((name) => entryOf(name).direction === direction);
  const [flagger, others] = [true, false].map((isFlagger) =>
    names
      .filter((name) => ofFlagger.includes(entryOf(name).patches) === isFlagger)
      .map((name) => `\`${name}\``)
      .join(", "),
  );
  return `| ${direction} | ${others}; Flagger: ${flagger} |`;
}

/** Replaces the rows of the table with this head. */
export function withTable(text: string, head: string, rows: readonly string[]): string {
  const lines = text.split("\n");
  const start = lines.indexOf(head) + 2;
  if (start === 1) throw new Error(`there is no table ${head}`);
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith("|"));
  return [...lines.slice(0, start), ...rows, ...lines.slice(end)].join("\n");
}

/** Replaces the names in the line that begins and goes on like this. */
function withLine(text: string, [before, patches, after]: Line): string {
  const lines = text.split("\n");
  const found = lines.findIndex((line) => line.startsWith(before) && line.includes(after));
  const line = lines[found];
  if (line === undefined) throw new Error(`no line goes on with ${after}`);
  const names = actionNames.filter((name) => patches.includes(entryOf(name).patches)).join(", ");
  return lines.with(found, `${before}${names}${line.slice(line.indexOf(after))}`).join("\n");
}

// node scripts/actions-doc.ts: writes the lines.
if (import.meta.main)
  for (const [file, write] of Object.entries(actionDocs)) {
    const path = join(root, file);
    writeFileSync(path, write(readFileSync(path, "utf8")));
  }
