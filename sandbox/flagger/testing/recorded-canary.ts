import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { createStateNotes } from "./canary-state.ts";
import { withoutFolding } from "./flagger-world.ts";

type Line = { at: string; type: "ADDED" | "MODIFIED" | "DELETED" | "LISTED"; object: KubeObject };

/** A Canary as a real Flagger led it, and what others did meanwhile. */
export type RecordedCanary = {
  canary: KubeObject;
  target: KubeObject;
  /** The pod templates of later releases, each with the state after which it came. */
  releases: { after: string; template: unknown }[];
  /** How long the first primary took until it was available. */
  primaryStartSeconds: number;
  /** Every state, equal neighbours only once. */
  states: string[];
  /** The different texts of the controller's Events, in order of first appearance. */
  messages: string[];
};

const FOLDER = join(import.meta.dirname, "../../../test/fixtures/real-controllers/flagger");

export function readRecordedCanary(version: string, name: string): RecordedCanary {
  const canaries = currentLife(readLines(version, "canaries"), name, untilOtherController(version));
  const [first] = canaries;
  if (first === undefined) throw new Error(`Flagger ${version} recorded no Canary ${name}`);
  const { namespace } = first.object.metadata;
  const isHere = ({ at, object }: Line): boolean => at >= earlier(first.at) && object.metadata.namespace === namespace;
  const deployments = readLines(version, "deployments").filter(isHere);
  const targets = currentLife(deployments, name);
  const [target] = targets;
  if (target === undefined) throw new Error(`Flagger ${version} recorded no target ${name}`);
  const notes = createStateNotes();
  const states = canaries.map(({ at, object }) => ({ at, state: notes(object) }));
  return {
    canary: first.object,
    target: target.object,
    releases: releasesOf(targets, states),
    primaryStartSeconds: startSecondsOf(currentLife(deployments, `${name}-primary`)),
    states: states.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]),
    messages: messagesOf(readLines(version, "events").filter(isHere), name, canaries.at(-1)?.at ?? ""),
  };
}

function readLines(version: string, kind: string): Line[] {
  return gunzipSync(readFileSync(join(FOLDER, `${version}-${kind}.jsonl.gz`)))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The older controller's last objects were then led by the newer one. */
function untilOtherController(version: string): (line: Line) => boolean {
  return ({ object }) =>
    version === "1.44.0" ||
    !(object.metadata.managedFields as { manager: string }[]).some(({ manager }) => manager === "flagger");
}

/** Returns the lines of the object since it was last created. */
function currentLife(lines: readonly Line[], name: string, isMeant: (line: Line) => boolean = () => true): Line[] {
  const own = lines.filter((line) => line.object.metadata.name === name && isMeant(line));
  const uid = own.at(-1)?.object.metadata.uid;
  return own.filter(({ type, object }) => object.metadata.uid === uid && type !== "DELETED");
}

/** The target is created a little before its Canary. */
function earlier(at: string): string {
  return new Date(Date.parse(at) - 10_000).toISOString();
}

function releasesOf(targets: readonly Line[], states: { at: string; state: string }[]): RecordedCanary["releases"] {
  return targets.flatMap(({ at, object }, index) => {
    const before = targets[index - 1]?.object.spec?.template;
    const template = object.spec?.template;
    if (before === undefined || isDeepStrictEqual(before, template)) return [];
    return [{ after: states.findLast((state) => state.at < at)?.state ?? "", template }];
  });
}

function startSecondsOf(primaries: readonly Line[]): number {
  const isAvailable = ({ object }: Line): boolean =>
    ((object.status?.conditions ?? []) as { type: string; status: string }[]).some(
      ({ type, status }) => type === "Available" && status === "True",
    );
  const [created] = primaries;
  const ready = primaries.find(isAvailable);
  return created === undefined || ready === undefined ? 0 : (Date.parse(ready.at) - Date.parse(created.at)) / 1000;
}

function messagesOf(lines: readonly Line[], name: string, until: string): string[] {
  const messages = lines
    .filter(({ at, type, object }) => {
      const { name: about } = object.involvedObject as { name: string };
      const { component } = object.source as { component: string };
      return type !== "LISTED" && about === name && component === "flagger" && at <= until;
    })
    .map(({ object }) => withoutFolding(String(object.message)));
  return [...new Set(messages)];
}
