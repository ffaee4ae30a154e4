import type { Freeze } from "#lib/contract/freeze.ts";
import { longestFreezeDays } from "#lib/domain/policy/freeze.ts";
import { parseFlags, parseTimeFlag, parseWords, UsageError } from "../command-line.ts";
import { programName } from "../program-name.ts";
import { type RemoteApi, withApi } from "../remote/api.ts";
import { formatAnswer, formatTable, parseOutput } from "../remote/format.ts";

const heads = ["ID", "CLUSTERS", "NAMESPACES", "ROLLOUTS", "FROM", "UNTIL", "BY", "REASON"];
const output = { output: { type: "string", short: "o" } } as const;

/** Runs `gatehouse freeze`: stops what advances rollouts, lists the freezes that people made, extends or ends one. */
export async function runFreeze([word, ...args]: string[]): Promise<number> {
  if (word === "start") return start(args);
  if (word === "list") return list(args);
  if (word === "extend" || word === "end") return change(word, args);
  throw new UsageError(`usage: ${programName} freeze start | list | extend ID | end ID`);
}

async function start(args: string[]): Promise<number> {
  const flags = parseFlags(args, {
    for: { type: "string" },
    reason: { type: "string" },
    cluster: { type: "string", multiple: true },
    namespace: { type: "string", multiple: true },
    rollout: { type: "string", multiple: true },
    ...output,
  });
  const { cluster, namespace, rollout } = flags;
  const body = {
    reason: flags.reason ?? missing("--reason TEXT"),
    endsAt: endAfter(flags.for ?? missing("--for TIME, such as 4h")),
    ...(cluster === undefined ? {} : { clusters: cluster }),
    ...(namespace === undefined ? {} : { namespaces: namespace }),
    ...(rollout === undefined ? {} : { rollouts: rollout }),
  };
  return show(flags.output, async (api) => [await api.post<Freeze>("/api/v1/freezes", body)]);
}

async function list(args: string[]): Promise<number> {
  const flags = parseFlags(args, output);
  return show(flags.output, async (api) => (await api.get<{ items: Freeze[] }>("/api/v1/freezes")).items);
}

async function change(word: "extend" | "end", args: string[]): Promise<number> {
  const {
    words: [id],
    flags,
  } = parseWords(args, ["ID"], { for: { type: "string" }, reason: { type: "string" }, ...output });
  if (word === "end" && flags.for !== undefined) throw new UsageError("end takes no --for");
  const body = {
    reason: flags.reason ?? missing("--reason TEXT"),
    ...(word === "extend" ? { endsAt: endAfter(flags.for ?? missing("--for TIME, such as 4h")) } : {}),
  };
  return show(flags.output, async (api) => [await api.post<Freeze>(`/api/v1/freezes/${encodeURIComponent(id)}`, body)]);
}

async function show(asked: string | undefined, read: (api: RemoteApi) => Promise<Freeze[]>): Promise<number> {
  const format = parseOutput(asked);
  return withApi(async (api) => {
    const freezes = await read(api);
    process.stdout.write(format === "table" ? formatFreezes(freezes) : formatAnswer(freezes, format));
    return 0;
  });
}

function formatFreezes(freezes: readonly Freeze[]): string {
  if (freezes.length === 0) return "nothing is frozen by a person\n";
  return formatTable(
    heads,
    freezes.map(({ id, scope, startsAt, endsAt, madeBy, reason }) => [
      id,
      ...[scope.clusters, scope.namespaces, scope.rollouts].map((patterns) => patterns.join(",")),
      ...[startsAt, endsAt, madeBy, reason],
    ]),
  );
}

function endAfter(time: string): string {
  return new Date(Date.now() + parseTimeFlag("--for", time, longestFreezeDays)).toISOString();
}

function missing(flag: string): never {
  throw new UsageError(`freeze needs ${flag}`);
}
