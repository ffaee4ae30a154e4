import { z } from "zod";
import { type Actor, actorKey } from "#lib/server/platform/actor/actor.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";

const StoredVote = z.object({
  key: z.string(),
  name: z.string(),
  username: z.string(),
  /** Those of the session in which the person approved. */
  groups: z.array(z.string()),
  at: z.iso.datetime(),
  reason: z.string().nullable(),
});
/** One person's approval, as the column `votes` of an approval has it. */
export type StoredVote = z.infer<typeof StoredVote>;

/** Reads the column; one that cannot be read contains no approval. */
export function readStoredVotes({ votes }: { votes: unknown }): StoredVote[] {
  return z.array(StoredVote).catch([]).parse(votes);
}

export function makeVote({
  actor,
  at,
  reason,
}: {
  actor: Pick<Actor, "issuer" | "subject" | "name" | "username" | "groups">;
  at: Date;
  reason: string | undefined;
}): StoredVote {
  return {
    key: toColumn(actorKey(actor)),
    name: toColumn(actor.name),
    username: toColumn(actor.username),
    groups: actor.groups.map((group) => toColumn(group)),
    at: at.toISOString(),
    reason: toColumn(reason),
  };
}
