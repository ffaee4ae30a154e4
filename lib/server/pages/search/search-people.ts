import { sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { isReadableAudit } from "#lib/server/pages/audit/readable-audit.ts";
import { allOf, anyContains } from "#lib/server/platform/db/conditions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { searched } from "./searched.ts";

const eb = fragment<{ a: "audit_entry" }>();
const { fn, lit } = eb;

/** Cut as in the index: a person who searches does not type a longer name. */
const name = fn<string>("left", ["a.actor_name", lit(200)]);
const subject = fn<string>("left", [fn.coalesce("a.actor_subject", sql.lit("")), lit(200)]);
const mostPeople = 5000;

/**
 * All people who acted, from the index alone: each step of the recursion jumps to the next name, however many entries
 * one person has.
 */
const everybody = tables
  .withRecursive("actor(name, subject)", (db) =>
    db
      .selectFrom(
        db
          .selectFrom("audit_entry as a")
          .select([name.as("name"), subject.as("subject")])
          .orderBy(name)
          .orderBy(subject)
          .limit(1)
          .as("first"),
      )
      .select(["first.name", "first.subject"])
      .unionAll(
        db
          .selectFrom("actor as p")
          .innerJoinLateral(
            (next) =>
              next
                .selectFrom("audit_entry as a")
                .select([name.as("name"), subject.as("subject")])
                .where((of) => of(of.tuple(name, subject), ">", of.refTuple("p.name", "p.subject")))
                .orderBy(name)
                .orderBy(subject)
                .limit(1)
                .as("next"),
            (join) => join.onTrue(),
          )
          .select(["next.name", "next.subject"]),
      ),
  )
  .selectFrom("actor")
  .select(["actor.name", "actor.subject"])
  .limit(mostPeople);

export const searchedPeople = searched({
  find: ({ actor, terms, limit }) =>
    tables
      .selectFrom(everybody.as("p"))
      .innerJoinLateral(
        (p) =>
          p
            .selectFrom("audit_entry as a")
            .select("a.time")
            .where((of) =>
              allOf([of(name, "=", of.ref("p.name")), of(subject, "=", of.ref("p.subject")), isReadableAudit(actor)]),
            )
            .orderBy("a.seq", "desc")
            .limit(1)
            .as("last"),
        (join) => join.onTrue(),
      )
      .select((p) => [
        "last.time as at",
        jsonBuildObject({ name: p.ref("p.name"), subject: p.ref("p.subject") }).as("hit"),
      ])
      .where((p) => allOf(terms.map(({ text }) => anyContains([p.ref("p.name"), p.ref("p.subject")], text))))
      .orderBy("last.time", "desc")
      .orderBy("p.name")
      .limit(limit),
  toHit: (person, at) => ({ ...person, subject: person.subject === "" ? null : person.subject, at }),
});
