"use client";

import { Text } from "@mantine/core";
import classes from "#components/ui/audit-items.module.css";
import { AuditSentence } from "#components/ui/audit-sentence.tsx";
import { classifyOutcome } from "#components/ui/classify-state.ts";
import { formatDay } from "#components/ui/format-time.ts";
import { FreshChip } from "#components/ui/fresh-chip.tsx";
import { IconShieldCheck } from "#components/ui/icons.tsx";
import { LoadMore, NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { ClockTime } from "#components/ui/relative-time.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import { useSteadyItems } from "#components/ui/use-steady-items.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { auditHref } from "#lib/client/rollout-path.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";
import type { AuditItem } from "#lib/contract/audit.ts";

type AuditItemsProps = { list: ItemList<AuditItem>; isFiltered: boolean; isOldestFirst?: boolean };

/** Shows audit entries, newest first unless the list is sorted otherwise, one sentence each. */
export function AuditItems({ list, isFiltered, isOldestFirst = false }: AuditItemsProps) {
  return (
    <QueryView
      what="The audit log"
      query={{ data: list.items, error: list.error, refetch: list.retry }}
      skeleton={<AuditSkeleton />}
    >
      {(items) =>
        items.length === 0 ? (
          <NothingHere
            icon={<IconShieldCheck size={40} stroke={1.2} />}
            title={isFiltered ? "No entry matches" : "No entries yet"}
            hint={
              isFiltered
                ? "No results for these filters."
                : "Every action (even if refused), sign-in and change made outside Gatehouse appears here."
            }
          />
        ) : (
          <AuditRows items={items} list={list} isOldestFirst={isOldestFirst} />
        )
      }
    </QueryView>
  );
}

type AuditRowsProps = { items: AuditItem[]; list: ItemList<AuditItem>; isOldestFirst: boolean };

function AuditRows({ items, list, isOldestFirst }: AuditRowsProps) {
  const { rows, fresh, showFresh, holdProps } = useSteadyItems(items, ({ seq }) => String(seq));
  return (
    <>
      <FreshChip count={fresh} onShow={showFresh} />
      <ol
        className={classes.list}
        {...holdProps}
        aria-label={`Audit entries, ${isOldestFirst ? "oldest" : "newest"} first`}
      >
        {rows.map(({ key, item }, index) => {
          const day = headDay(item);
          const before = rows[index - 1];
          const isFirst = before === undefined || headDay(before.item) !== day;
          return (
            <li key={key} data-first={isFirst || undefined}>
              {isFirst && <h2 className={classes.day}>{day}</h2>}
              <AuditRow item={item} />
            </li>
          );
        })}
      </ol>
      <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
    </>
  );
}

/** Lists the entries of a row by number: an outcome's with its request, and a change's with the entry that names who made it. */
export function listRowEntries({
  seq,
  intentSeq,
  attributedBy,
}: Pick<AuditItem, "seq" | "intentSeq" | "attributedBy">) {
  return [intentSeq, seq, attributedBy].filter((number) => number !== null);
}

/** Names the day and the zone of an entry's time, as the heading of that day. */
function headDay({ time }: AuditItem): string {
  const atMs = Date.parse(time);
  return Number.isNaN(atMs) ? "Day unknown" : `${formatDay(atMs)} · ${shownTimeZone()}`;
}

function AuditRow({ item }: { item: AuditItem }) {
  const { seq, time, outcome, source } = item;
  const state = classifyOutcome(outcome)?.state;
  const kind = outcome === "refused" ? "refused" : source === "cluster" ? "outside" : "plain";
  return (
    <div className={classes.row} data-kind={kind} data-row>
      <span className={classes.sign}>
        {state === undefined ? <span className={classes.dot} aria-hidden="true" /> : <StateIcon state={state} />}
      </span>
      <span className={classes.sentence}>
        {kind === "refused" && <strong className={classes.tag}>Refused. </strong>}
        <RowLink href={auditHref(seq)}>
          <AuditSentence item={item} />
        </RowLink>
        {!isEffective(item) && <AuditEffect item={item} />}
      </span>
      <Text span size="xs" c="dimmed" className={classes.time}>
        {isNotable(item) && `${describeEffect(item.effect, outcome)} · `}
        <ClockTime at={time} />
      </Text>
      <Text span size="xs" c="dimmed" className={classes.entries}>
        <span className="visually-hidden">, entry </span>
        {listRowEntries(item).join(", ")}
      </Text>
    </div>
  );
}

/** In seconds. A faster effect is what everybody expects; the page of the entry has every figure. */
const slowEffect = 5;

function isNotable(item: AuditItem): boolean {
  const seconds = item.effect?.seconds ?? null;
  return isEffective(item) && (seconds === null || seconds > slowEffect);
}

/** As expected: said beside the time, where it does not compete with the sentence. */
export function isEffective({ effect, outcome }: AuditItem): boolean {
  return effect?.state === "effective" && describeEffect(effect, outcome) !== undefined;
}

/** Shows the result of the action, if the sentence cannot include it. */
export function AuditEffect({ item }: { item: AuditItem }) {
  const words = describeEffect(item.effect, item.outcome);
  return words === undefined ? null : (
    <Text span size="sm" c="dimmed">
      {/* A line never begins with the dot. */}
      {"\u00a0· "}
      <span className={classes.effect}>{words}</span>
    </Text>
  );
}

const noEffectWords: Readonly<Record<string, string>> = {
  awaited: "no effect yet, still watched",
  superseded: "superseded before it took effect",
  "given-up": "no effect in 24 hours",
};

export function describeEffect(effect: AuditItem["effect"], outcome: AuditItem["outcome"]): string | undefined {
  if (effect === null || outcome === undefined || outcome === "refused" || outcome === "intent") return undefined;
  if (effect.state === "effective") {
    return effect.seconds === null ? "took effect" : `took effect in ${formatSeconds(effect.seconds)}`;
  }
  if (effect.state === "not-effective") return noEffectWords[effect.why ?? ""] ?? "had no effect";
  if (effect.state === "partial") return "was partially applied";
  if (effect.state === "unknown") return "outcome unknown";
  return undefined;
}

function AuditSkeleton() {
  return (
    <div className={classes.list} aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={classes.row}>
          <span className={classes.sign} />
          <span className={classes.skeleton} />
        </div>
      ))}
    </div>
  );
}
