import type { KnownSubject } from "#lib/contract/admin-access.ts";
import { robotIssuer, type Subject } from "#lib/server/people/auth/derive-rights.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

const subjectFields = { select: { issuer: true, subject: true, name: true } } as const;

/** Reads the newest session of a person of an issuer, by username or, if it is given, by subject; open or not. */
export async function readSeenPerson(
  connection: Connection,
  { issuer, username, subject }: { issuer: string; username: string; subject: string | undefined },
) {
  return prismaOn(connection).userSession.findFirst({
    where: { username, user: { issuer, ...(subject === undefined ? {} : { subject }) } },
    select: { groups: true, claims: true, user: subjectFields },
    orderBy: { createdAt: "desc" },
  });
}

const knownTokenFields = {
  id: true,
  name: true,
  role: true,
  restricted: true,
  username: true,
  groups: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
  owner: subjectFields,
} as const satisfies Prisma.ApiTokenSelect;

type KnownToken = Prisma.ApiTokenGetPayload<{ select: typeof knownTokenFields }>;

/** Reads a token with its owner; null if no token has this id. */
export async function readKnownToken(connection: Connection, id: string): Promise<KnownToken | null> {
  return prismaOn(connection).apiToken.findFirst({ where: { id }, select: knownTokenFields });
}

/** Reads the newest token of a robot. */
export async function readRobotToken(connection: Connection, username: string): Promise<KnownToken | null> {
  return prismaOn(connection).apiToken.findFirst({
    where: { username, owner: { issuer: robotIssuer } },
    select: knownTokenFields,
    orderBy: { createdAt: "desc" },
  });
}

/** Reads tokens by their ids, also expired and revoked ones. */
export async function readTokens(connection: Connection, ids: readonly string[]): Promise<KnownToken[]> {
  if (ids.length === 0) return [];
  return prismaOn(connection).apiToken.findMany({ where: { id: { in: [...ids] } }, select: knownTokenFields });
}

/** More are not listed: a list to choose from, not a register. */
const mostListed = 1000;

/** A known subject as it is shown, and as rights are derived for it. */
export type Known = { shown: KnownSubject; subject: Subject };

/**
 * Lists the known subjects: people of the issuer by their newest session, robots and tokens by their tokens that are
 * neither expired nor revoked. Newest first.
 */
export async function listKnownSubjects(
  connection: Connection,
  issuer: string,
): Promise<{ known: Known[]; allKnown: boolean }> {
  const newest = tables
    .selectFrom("user_session as s")
    .innerJoin("user_account as u", "u.id", "s.user_id")
    .select(["u.subject", "u.name", "s.username", "s.groups", "s.last_seen_at"])
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
  const now = await readDatabaseTime(connection);
  const tokens = await prismaOn(connection).apiToken.findMany({
    where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: knownTokenFields,
    orderBy: { createdAt: "desc" },
    take: mostListed + 1,
  });
  // Of several tokens of a robot the first is the newest.
  const robots = [
    ...Map.groupBy(tokens, ({ owner, username }) => (owner.issuer === robotIssuer ? username : null)),
  ].flatMap(([username, own]) => (username === null ? [] : own.slice(0, 1)));
  return {
    known: [
      ...people.slice(0, mostListed).map(({ name, username, subject, groups, last_seen_at }): Known => {
        const lastSeenAt = last_seen_at.toISOString();
        return {
          shown: { kind: "person", name, username, subject, groups, token: null, lastSeenAt },
          subject: { identity: { issuer, subject, username, groups } },
        };
      }),
      ...robots.map((robot): Known => {
        const { shown, subject } = knownToken(robot);
        return {
          shown: { ...shown, kind: "robot", name: robot.owner.name, token: null },
          subject: { identity: subject.identity },
        };
      }),
      ...tokens.slice(0, mostListed).map(knownToken),
    ],
    allKnown: people.length <= mostListed && tokens.length <= mostListed,
  };
}

function knownToken({ id, name, role, restricted, username, groups, lastUsedAt, owner }: KnownToken): Known {
  const { issuer, subject } = owner;
  const lastSeenAt = lastUsedAt?.toISOString() ?? null;
  return {
    shown: { kind: "token", name, username, subject, groups, token: id, lastSeenAt },
    subject: { identity: { issuer, subject, username, groups }, token: { id, role, restricted } },
  };
}
