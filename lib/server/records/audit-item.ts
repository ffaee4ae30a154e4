import { sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { AuditEntry as AuditEntryContract, type AuditItem } from "#lib/contract/audit.ts";
import { doneStates, groupCode } from "#lib/domain/acting/group-actions.ts";
import { type AuditEntry, parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";
import { withAttribution } from "#lib/domain/audit/entry-person.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { countRows, secondsBetween } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasWords, matchTerms } from "./match-terms.ts";
import { parseSearch, type SearchTerm } from "./parse-search.ts";

const item = fragment<{ a: "audit_entry"; x: "action"; g: "action" }>();
const { ref } = item;

/** How far the members of a request for many rollouts have got; null for other entries. */
const groupTally = item
  .case()
  .when("a.code", "=", groupCode)
  .then(
    item
      .selectFrom("action as g")
      .select((g) =>
        jsonBuildObject({
          done: countRows(g("g.state", "in", doneStates)),
          open: countRows(g("g.state", "=", "requested")),
          idle: countRows(g("g.state", "=", "not-effective")),
          partial: countRows(g("g.state", "=", "partial")),
        }).as("tally"),
      )
      .whereRef("g.group_seq", "=", "a.seq"),
  )
  .end();

/** The request of entry `a`, if that is an outcome. */
const intentSeq = item
  .case()
  .when(item.and([item("a.outcome", "<>", "intent"), item("x.intent_seq", "<", ref("a.seq"))]))
  .then(ref("x.intent_seq"))
  .end();

/** Selects one item of the list. `at`: the time column, for entries whose text no longer gives the time. */
export const selectAuditItems = tables
  .selectFrom("audit_entry as a")
  .leftJoin("action as x", "x.id", "a.action_id")
  .leftJoin("unasked_change as t", "t.audit_seq", "a.seq")
  .leftJoin("audit_entry as m", (join) =>
    join.onRef("m.seq", "=", "t.attributed_seq").onRef("m.seq", "<>", "t.audit_seq"),
  )
  .select([
    "a.seq",
    "a.entry",
    "a.entry_hash",
    "a.previous_hash",
    "a.hash",
    "x.state as action_state",
    "x.effect_why",
    groupTally.as("tally"),
    "m.seq as attribution_seq",
    "m.entry as attribution",
    intentSeq.as("intent_seq"),
    sql<string>`to_char(${ref("a.time")} AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as("at"),
    secondsBetween(ref("x.requested_at"), ref("x.effective_at")).$castTo<number | null>().as("effect_seconds"),
  ]);

export type AuditItemRow = RowOf<typeof selectAuditItems>;

/**
 * Returns what was hashed: everything except the hashes is read from the entry's text. If a text is no longer an entry,
 * it was tampered with: the item says so, and the others stay readable.
 */
export function serializeAuditItem(row: AuditItemRow): AuditItem {
  const entry = parseEntryText(row.entry);
  if (entry === undefined) return unreadableItem(row);
  const attribution = row.attribution === null ? undefined : parseEntryText(row.attribution);
  const parts = formatAuditSentence(withTally(withAttribution(entry, attribution), row.tally));
  return {
    ...AuditEntryContract.parse({
      ...entry,
      entryHash: row.entry_hash,
      previousHash: row.previous_hash,
      hash: row.hash,
    }),
    sentence: joinSentence(parts),
    parts,
    attributedBy: attribution === undefined ? null : Number(row.attribution_seq),
    intentSeq: row.intent_seq === null ? null : Number(row.intent_seq),
    effect:
      row.action_state === null ? null : { state: row.action_state, seconds: row.effect_seconds, why: row.effect_why },
  };
}

function withTally(entry: AuditEntry, tally: AuditItemRow["tally"]): AuditEntry {
  return tally === null ? entry : { ...entry, detail: { ...entry.detail, ...tally } };
}

function unreadableItem({ seq, at, entry_hash, previous_hash, hash }: AuditItemRow): AuditItem {
  const sentence = `Entry ${seq} cannot be read: its text was changed. Verify the chain: gatehouse audit verify.`;
  return {
    seq: Number(seq),
    time: at,
    actor: { type: "unknown", name: "unknown" },
    source: "system",
    code: "unreadable",
    requestId: "",
    entryHash: entry_hash,
    previousHash: previous_hash,
    hash,
    sentence,
    parts: [{ text: sentence, strong: true }],
    attributedBy: null,
    intentSeq: null,
    effect: null,
  };
}

const eb = fragment<{ a: "audit_entry" }>();

/** The searchable words of entry `a`, as in its index; the reason is only in the text of the entry. */
const words = eb.fn("audit_words", [
  "a.actor_name",
  "a.actor_subject",
  "a.code",
  "a.cluster",
  "a.namespace",
  "a.name",
  "a.entry",
]);

/** Returns the condition that entry `a` has all terms, or has one as its number. */
export function hasAuditTerms(terms: readonly SearchTerm[]): Condition | undefined {
  return matchTerms(terms, {
    own: hasTerm,
    leads: ({ isLong, number }) => isLong || number !== undefined,
  });
}

/** Returns the condition that entry `a` has all terms of the text; undefined if there is none to look for. */
export function hasAuditText(text: string | undefined): Condition | undefined {
  const terms = parseSearch(text ?? "");
  return terms.length === 0 ? undefined : eb.and(terms.map(hasTerm));
}

function hasTerm(term: SearchTerm): Condition {
  if (term.number === undefined) return hasWords(words, term);
  return eb.or([hasWords(words, term), eb("a.seq", "=", term.number)]);
}
