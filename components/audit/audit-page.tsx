"use client";

import { Anchor, Group, Skeleton, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { AuditPresets } from "#components/audit/audit-presets.tsx";
import { AuditItems, listRowEntries } from "#components/ui/audit-items.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterSpan } from "#components/ui/filter-time.tsx";
import { findWrongFilters } from "#components/ui/find-wrong-filters.ts";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { type ListFilters, useListState } from "#components/ui/use-list-state.ts";
import { WrongFilters } from "#components/ui/wrong-filters.tsx";
import { useAudit, useSignInCount } from "#lib/client/audit-queries.ts";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AuditItem } from "#lib/contract/audit.ts";
import { actionNames, entryOf } from "#lib/domain/acting/action-catalogue.ts";
import { formatCountOf } from "#lib/util/words.ts";

const AuditCheck = dynamic(() => import("#components/audit/audit-check.tsx").then((module) => module.AuditCheck), {
  ssr: false,
  // As high as its buttons.
  loading: () => <Skeleton height={30} width={340} />,
});

const PrintHead = dynamic(() => import("#components/audit/print-head.tsx").then((module) => module.PrintHead), {
  ssr: false,
});

const SaveView = dynamic(() => import("#components/ui/list-tools.tsx").then((module) => module.SaveView), {
  ssr: false,
});

const CsvLink = dynamic(() => import("#components/ui/list-tools.tsx").then((module) => module.CsvLink), { ssr: false });

const AbortsView = dynamic(() => import("#components/audit/aborts-view.tsx").then((module) => module.AbortsView), {
  ssr: false,
});

const filterNames = [
  ...(["q", "rows", "actor", "action", "outcome", "source", "cluster", "namespace", "name", "policy"] as const),
  ...(["last", "from", "to", "signIns"] as const),
] as const;

/** Shows the audit log, or who aborted what; both with their filters in the URL. */
export function AuditPage() {
  const { values } = useFilters(["report"] as const);
  return values.report === "aborts" ? <AbortsView /> : <EntriesView />;
}

function EntriesView() {
  const state = useListState({ list: "audit", filters: filterNames, usualSort: "-time" });
  const { values, applied, isFiltered, set, setMany, clear } = state;
  // One row for each act, unless the entries themselves are asked for.
  const rows = applied.rows === "entries" ? "entries" : "acts";
  // They are most of a quiet log. Whoever asks for every entry gets them.
  const hidesSignIns = rows === "acts" && applied.signIns !== "shown";
  const filters = { ...applied, rows, signIns: hidesSignIns ? "hidden" : "" };
  const list = useAudit(filters);
  const wrong = findWrongFilters(list.error, { ...values, sort: state.sort });
  return (
    <>
      <PageTitle aside={<AuditCheck />}>Audit</PageTitle>
      <PrintHead filters={filters} shown={list.items?.length} hasMore={list.hasMore} />
      <AuditPresets values={values} />
      <ListViews state={state} />
      <FilterBar isFiltered={isFiltered} onClear={clear} more={listMoreFilters(state)}>
        <FilterText label="Search" value={values.q} onChange={set("q")} isSearch />
        <FilterText label="Person" value={values.actor} onChange={set("actor")} />
        <FilterChoice label="Action" value={values.action} options={actionOptions} onChange={set("action")} />
        <FilterSpan label="Time" values={values} onChange={setMany} />
      </FilterBar>
      {wrong.length > 0 && <WrongFilters wrong={wrong} noun="audit entries" state={state} />}
      <Group justify="space-between" gap="xs" align="start" className={classes.tools}>
        <div>
          {list.items !== undefined && <LinkState items={list.items} />}
          <Text size="xs" c="dimmed" hidden={list.items === undefined}>
            {describeRows(list.items?.length ?? 0, list.hasMore)}
            <HiddenSignIns filters={filters} isWanted={hidesSignIns} onShow={() => set("signIns")("shown")} />
          </Text>
        </div>
        <Group gap={6} mih="1.875rem">
          <SaveView state={state} />
          <CsvLink state={state} more={{ format: "csv", rows, signIns: filters.signIns }} />
        </Group>
      </Group>
      {wrong.length === 0 && (
        <AuditItems
          key={JSON.stringify(applied)}
          list={list}
          isFiltered={isFiltered || hidesSignIns}
          isOldestFirst={state.sort === "time"}
        />
      )}
    </>
  );
}

/** The filters that are rarely used, with their values. */
function listMoreFilters({ values, set, sort, setSort }: ListFilters<(typeof filterNames)[number]>) {
  const order = sort === "time" ? "time" : "";
  const filters = (
    <>
      <FilterChoice label="Outcome" value={values.outcome} options={outcomeOptions} onChange={set("outcome")} />
      <FilterChoice label="Source" value={values.source} options={sourceOptions} onChange={set("source")} />
      <FilterText label="Cluster" value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterText label="Rollout" value={values.name} onChange={set("name")} />
      <FilterText label="Policy" value={values.policy} onChange={set("policy")} />
      <FilterChoice
        label="Rows"
        value={values.rows}
        unset="one per act"
        options={[{ value: "entries", label: "every entry" }]}
        onChange={set("rows")}
      />
      <FilterChoice
        label="Sign-ins"
        value={values.signIns}
        unset="hidden"
        options={[{ value: "shown", label: "shown" }]}
        onChange={set("signIns")}
      />
      <FilterChoice
        label="Order"
        value={order}
        unset="newest first"
        options={[{ value: "time", label: "oldest first" }]}
        onChange={(value) => setSort(value ?? "-time")}
      />
    </>
  );
  const { outcome, source, cluster, namespace, name, policy, rows, signIns } = values;
  return { filters, values: [outcome, source, cluster, namespace, name, policy, rows, signIns, order] };
}

type HiddenSignInsProps = { filters: Readonly<Record<string, string>>; isWanted: boolean; onShow: () => void };

/** Says how many sign-ins the filters left out, and shows them. */
export function HiddenSignIns({ filters, isWanted, onShow }: HiddenSignInsProps) {
  const { count, hasMore } = useSignInCount(filters, isWanted);
  if (!isWanted || count === 0) return null;
  return (
    <>
      {" · "}
      {hasMore ? `${count} or more sign-ins` : formatCountOf(count, "sign-in")} hidden (
      <Anchor component="button" type="button" onClick={onShow} inherit>
        show
      </Anchor>
      )
    </>
  );
}

/** Shows whether the visible entries are correctly chained: every reader may check that much. */
function LinkState({ items }: { items: readonly AuditItem[] }) {
  const { checked, brokenAt } = checkLinks(items);
  const checkedWords = describeChecked(items, checked);
  if (brokenAt === undefined && checkedWords === "") return null;
  return (
    <Text size="xs" c={brokenAt === undefined ? "dimmed" : "var(--gh-red-text)"} className={classes.check}>
      <StateIcon state={brokenAt === undefined ? "successful" : "failed"} size={14} />
      {brokenAt === undefined ? (
        checkedWords
      ) : (
        <span>
          Entry{" "}
          <Anchor component={Link} href={auditHref(brokenAt)} inherit>
            {brokenAt}
          </Anchor>{" "}
          does not match the previous entry: one of the two was changed after it was written.
        </span>
      )}
    </Text>
  );
}

/** Counts the rows on the page; further ones may follow. The entries of a row are at its end. */
export function describeRows(count: number, hasMore: boolean): string {
  return hasMore ? `The first ${formatCountOf(count, "row")}` : formatCountOf(count, "row");
}

type Covered = Parameters<typeof listRowEntries>[0];

/**
 * Says that the links of the chain between the first and the last entry of the rows match, if all were checked. With
 * filters and rows left out, some cannot be checked here: only verification of the whole chain tells.
 */
export function describeChecked(items: readonly Covered[], checked: number): string {
  const numbers = items.flatMap(listRowEntries);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const links = last - first;
  if (items.length === 0 || links === 0 || checked < links) return "";
  return links === 1
    ? `The link between entries ${first} and ${last} matches.`
    : `All ${links} links between entries ${first} and ${last} match.`;
}

type Option = { value: string; label: string };

const actionOptions: readonly Option[] = actionNames.map((value) => ({ value, label: entryOf(value).word }));

const outcomeOptions: readonly Option[] = [
  { value: "intent", label: "requested" },
  { value: "applied", label: "applied" },
  { value: "refused", label: "refused" },
  { value: "partial", label: "partially applied" },
  { value: "unknown", label: "unknown" },
];

const sourceOptions: readonly Option[] = [
  { value: "gatehouse", label: "Gatehouse" },
  { value: "cluster", label: "outside Gatehouse" },
  { value: "system", label: "system" },
];

type ChainedEntry = Pick<AuditItem, "seq" | "previousHash" | "hash">;

type LinkCheck = {
  /** Neighbouring pairs of which both entries are loaded. */
  checked: number;
  /** The first entry, from the oldest, that does not follow from the previous one. */
  brokenAt: number | undefined;
};

/** Checks the chain links between adjacent entries that are loaded. */
export function checkLinks(items: readonly ChainedEntry[]): LinkCheck {
  const bySeq = new Map(items.map((item) => [item.seq, item]));
  const pairs = items
    .toSorted((one, other) => one.seq - other.seq)
    .flatMap((item) => {
      const before = bySeq.get(item.seq - 1);
      return before === undefined ? [] : [{ seq: item.seq, holds: before.hash === item.previousHash }];
    });
  return { checked: pairs.length, brokenAt: pairs.find(({ holds }) => !holds)?.seq };
}
