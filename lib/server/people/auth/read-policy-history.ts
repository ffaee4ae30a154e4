import { sql } from "kysely";
import { type ConfigPolicies, observedPoliciesOf, policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { type PolicyConfig, parsePoliciesEvidence } from "#lib/server/platform/config/policy-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";

/** The policies that decided in a time, and those that observed; undefined if unknown: earlier versions kept none. */
export type PolicySpan = {
  fromMs: number;
  toMs: number;
  policies: ConfigPolicies | undefined;
  observed: ConfigPolicies | undefined;
};

/** Of older loads the policies count as unknown. */
const mostLoads = 500;

const eb = fragment<{ c: "config_event" }>();
/** The second word of a load; empty in those of earlier versions. */
const policiesDigest = sql<string>`split_part(${eb.ref("c.content")}, ' ', 2)`;

const selectLoads = tables
  .selectFrom("config_event as c")
  .select(["c.at", policiesDigest.as("digest")])
  .where("c.code", "=", "config.loaded")
  .orderBy("c.id", "desc");

/** Returns the policies of the config at each moment between two times, oldest first, without gaps. */
export async function readPolicyHistory(
  connection: Connection,
  { from, to }: { from: Date; to: Date },
): Promise<PolicySpan[]> {
  const [within, before] = await Promise.all([
    readRows(connection, selectLoads.where("c.at", ">", from).where("c.at", "<", to).limit(mostLoads)),
    readRow(connection, selectLoads.where("c.at", "<=", from).limit(1)),
  ]);
  const isCut = within.length === mostLoads;
  const loads = [...within, ...(before === undefined || isCut ? [] : [before])].toReversed();
  const known = await readConfigs(
    connection,
    loads.map(({ digest }) => digest),
  );
  const spans: PolicySpan[] = [
    { fromMs: from.getTime(), toMs: to.getTime(), policies: undefined, observed: undefined },
  ];
  for (const { at, digest } of loads) {
    const last = spans.at(-1);
    const config = known.get(digest);
    const [policies, observed] = config === undefined ? [] : [policiesOf(config), observedPoliciesOf(config)];
    const atMs = Math.max(at.getTime(), from.getTime());
    if (last === undefined || last.policies === policies) continue;
    last.toMs = atMs;
    spans.push({ fromMs: atMs, toMs: to.getTime(), policies, observed });
  }
  return spans.filter(({ fromMs, toMs }) => fromMs < toMs);
}

/** Reads policies by the digests of their evidence. Those that are missing, or of an unknown form, are left out. */
export async function readPolicies(
  connection: Connection,
  digests: readonly string[],
): Promise<Map<string, ConfigPolicies>> {
  const configs = await readConfigs(connection, digests);
  return new Map([...configs].map(([digest, config]) => [digest, policiesOf(config)]));
}

async function readConfigs(connection: Connection, digests: readonly string[]): Promise<Map<string, PolicyConfig>> {
  const wanted = [...new Set(digests)].filter((digest) => digest !== "");
  if (wanted.length === 0) return new Map();
  const rows = await prismaOn(connection).evidence.findMany({
    where: { digest: { in: wanted } },
    select: { digest: true, content: true },
  });
  return new Map(
    rows.flatMap(({ digest, content }) => {
      const config = parsePoliciesEvidence(content);
      return config === undefined ? [] : [[digest, config] as const];
    }),
  );
}

/** Returns since when the policies of each moment are known; undefined if none are. */
export async function readPoliciesKnownSince(connection: Connection): Promise<Date | undefined> {
  const row = await readRow(
    connection,
    tables
      .selectFrom("config_event as c")
      .select("c.at")
      .where("c.code", "=", "config.loaded")
      .where(policiesDigest, "<>", "")
      .orderBy("c.id")
      .limit(1),
  );
  return row?.at;
}
