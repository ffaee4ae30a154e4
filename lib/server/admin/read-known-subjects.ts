import { sql } from "kysely";
import type { KnownSubject } from "#lib/contract/admin-access.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** A person's newest session, whether it is still open or not. */
export type SeenPerson = {
  issuer: string;
  subject: string;
  name: string;
  username: string;
  groups: string[];
  claims: Record<string, unknown>;
  last_seen_at: Date;
};

const selectPeople = tables
  .selectFrom("user_session as s")
  .innerJoin("user_account as u", "u.id", "s.user_id")
  .select(["u.issuer", "u.subject", "u.name", "s.username", "s.groups", "s.claims", "s.last_seen_at"]);

/** Reads the newest session of a person of an issuer, by username or, if it is given, by subject. */
export async function readSeenPerson(
  connection: Connection,
  { issuer, username, subject }: { issuer: string; username: string; subject: string | undefined },
): Promise<SeenPerson | undefined> {
  const query = selectPeople
    .where("u.issuer", "=", issuer)
    .where("s.username", "=", username)
    .orderBy("s.created_at", "desc")
    .limit(1);
  return readRow(connection, subject === undefined ? query : query.where("u.subject", "=", subject));
}

const selectTokens = tables
  .selectFrom("api_token as t")
  .innerJoin("user_account as u", "u.id", "t.owner_id")
  .select(["t.id", "t.name as token_name", "t.role", "t.restricted", "t.username", "t.groups"])
  .select(["t.expires_at", "t.revoked_at", "t.last_used_at", "t.created_at"])
  .select(["u.issuer", "u.subject", "u.name"]);

/** Reads a token with its owner; undefined if no token has this id. */
export async function readKnownToken(connection: Connection, id: string) {
  return readRow(connection, selectTokens.where("t.id", "=", id));
}

/** Reads the newest token of a robot. */
export async function readRobotToken(connection: Connection, username: string) {
  return readRow(
    connection,
    selectTokens
      .where("u.issuer", "=", robotIssuer)
      .where("t.username", "=", username)
      .orderBy("t.created_at", "desc")
      .limit(1),
  );
}

/** Reads tokens by their ids, also expired and revoked ones. */
export async function readTokens(connection: Connection, ids: readonly string[]) {
  return ids.length === 0 ? [] : readRows(connection, selectTokens.where("t.id", "in", [...ids]));
}

/** More are not listed: a list to choose from, not a register. */
const mostListed = 1000;

/**
 * Lists the known subjects: people of the issuer by their newest session, robots and tokens by their tokens that are
 * neither expired nor revoked. Newest first.
 */
export async function listKnownSubjects(
  connection: Connection,
  issuer: string,
): Promise<{ known: KnownSubject[]; allKnown: boolean }> {
  const newest = selectPeople
    .where("u.issuer", "=", issuer)
    .distinctOn("s.user_id")
    .orderBy("s.user_id")
    .orderBy("s.created_at", "desc");
  const people = await readRows(
    connection,
    tables
      .selectFrom(newest.as("p"))
      .selectAll()
      .orderBy("p.last_seen_at", "desc")
      .limit(mostListed + 1),
  );
  const tokens = await readRows(
    connection,
    selectTokens
      .where("t.revoked_at", "is", null)
      .where((eb) => eb.or([eb("t.expires_at", "is", null), eb("t.expires_at", ">", sql<Date>`now()`)]))
      .orderBy("t.created_at", "desc")
      .limit(mostListed + 1),
  );
  // Of several tokens of a robot the first is the newest.
  const robots = [...Map.groupBy(tokens, ({ issuer: of, username }) => (of === robotIssuer ? username : null))].flatMap(
    ([username, own]) => (username === null ? [] : own.slice(0, 1)),
  );
  return {
    known: [
      ...people.slice(0, mostListed).map(
        (person): KnownSubject => ({
          kind: "person",
          name: person.name,
          username: person.username,
          subject: person.subject,
          groups: person.groups,
          token: null,
          lastSeenAt: person.last_seen_at.toISOString(),
        }),
      ),
      ...robots.map(
        (robot): KnownSubject => ({ ...subjectOfToken(robot), kind: "robot", name: robot.name, token: null }),
      ),
      ...tokens.slice(0, mostListed).map((token): KnownSubject => subjectOfToken(token)),
    ],
    allKnown: people.length <= mostListed && tokens.length <= mostListed,
  };
}

type TokenRow = NonNullable<Awaited<ReturnType<typeof readKnownToken>>>;

function subjectOfToken(token: TokenRow): KnownSubject {
  return {
    kind: "token",
    name: token.token_name,
    username: token.username,
    subject: token.subject,
    groups: token.groups,
    token: token.id,
    lastSeenAt: token.last_used_at?.toISOString() ?? null,
  };
}
