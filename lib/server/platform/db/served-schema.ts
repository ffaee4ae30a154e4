/**
 * Returns the comment that `gatehouse migrate` writes on the table of migrations: the oldest program that the schema
 * serves. It names the newest migration, so that it promises nothing about migrations that are applied later.
 */
export function describeServed({ newest, from }: { newest: string; from: string }): string {
  return `gatehouse: ${newest} serves programs from ${from}`;
}

/** Reads the comment on the table of migrations. Must be the only column of its query. */
export const servedCommentSql = `SELECT obj_description(to_regclass('"_prisma_migrations"'), 'pg_class') AS comment`;

/**
 * Returns whether a newer schema serves a program that knows only `known`: the release that made it promises so, and
 * everything that the program does not know came after all that it knows. `known` is ordered by name.
 */
export function servesProgram({
  known,
  foreign,
  comment,
}: {
  known: readonly string[];
  foreign: readonly string[];
  comment: string | null | undefined;
}): boolean {
  const last = known.at(-1);
  const [, newest, from = ""] = /^gatehouse: (\S+) serves programs from (\S+)$/.exec(comment ?? "") ?? [];
  if (last === undefined || newest !== foreign.toSorted().at(-1)) return false;
  return last >= from && foreign.every((name) => name > last);
}
