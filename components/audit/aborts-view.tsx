"use client";

import { Anchor, Paper, Skeleton, Table, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { AuditCheck } from "#components/audit/audit-check.tsx";
import { AuditPresets } from "#components/audit/audit-presets.tsx";
import { PrintHead } from "#components/audit/print-head.tsx";
import { FilterBar, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterSpan } from "#components/ui/filter-time.tsx";
import { findWrongFilters } from "#components/ui/find-wrong-filters.ts";
import { HostileText, showCutText } from "#components/ui/hostile-text.tsx";
import { IconShieldCheck } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { LoadMore, NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { TableHead } from "#components/ui/table-parts.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import type { ListState } from "#components/ui/use-list-state.ts";
import { WrongFilters } from "#components/ui/wrong-filters.tsx";
import { useAborts } from "#lib/client/audit-queries.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import type { Filters } from "#lib/client/query-keys.ts";
import { auditHref, releaseHref, runHref } from "#lib/client/rollout-path.ts";
import type { Abort } from "#lib/contract/audit.ts";

const filterNames = ["actor", "cluster", "namespace", "name", "last", "from", "to"] as const;

/** Shows every aborted release, whoever aborted it. */
export function AbortsView() {
  const filters = useFilters(filterNames);
  const { values, applied, isFiltered, set, setMany, clear } = filters;
  const { actor: person, ...rest } = applied;
  return (
    <>
      <PageTitle aside={<AuditCheck />}>Who aborted what</PageTitle>
      <AuditPresets values={{ ...values, report: "aborts" }} />
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Person" value={values.actor} onChange={set("actor")} />
        <FilterText label="Cluster" value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.name} onChange={set("name")} />
        <FilterSpan label="Time" values={values} onChange={setMany} />
      </FilterBar>
      <AbortList
        key={JSON.stringify(applied)}
        filters={{ ...rest, person }}
        address={filters}
        isFiltered={isFiltered}
        printed={{ ...applied, report: "aborts" }}
      />
    </>
  );
}

type AbortListProps = {
  filters: Filters;
  isFiltered: boolean;
  /** The filters in the address, so that a wrong one can be named and removed. */
  address: Pick<ListState, "values" | "remove">;
  /** The filters as the page has them, for paper. */
  printed: Readonly<Record<string, string>>;
};

/** Lists every aborted release, with the person, the client or the controller that aborted it, and why. */
function AbortList({ filters, isFiltered, address, printed }: AbortListProps) {
  const list = useAborts(filters);
  const wrong = findWrongFilters(list.error, address.values);
  if (wrong.length > 0) return <WrongFilters wrong={wrong} noun="aborts" state={address} />;
  return (
    <>
      <PrintHead filters={printed} shown={list.items?.length} hasMore={list.hasMore} />
      <Aborts list={list} isFiltered={isFiltered} />
    </>
  );
}

function Aborts({ list, isFiltered }: { list: ItemList<Abort>; isFiltered: boolean }) {
  return (
    <QueryView
      what="The list of aborts"
      query={{ data: list.items, error: list.error, refetch: list.retry }}
      skeleton={<Skeleton height={240} aria-hidden="true" />}
    >
      {(items) =>
        items.length === 0 ? (
          <NothingHere
            icon={<IconShieldCheck size={40} stroke={1.2} />}
            title={isFiltered ? "No abort matches" : "Nothing was aborted"}
            hint={
              isFiltered ? "No results for these filters." : "Every aborted release appears here, whoever aborted it."
            }
          />
        ) : (
          <>
            <AbortTable items={items} />
            <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
          </>
        )
      }
    </QueryView>
  );
}

const columns = ["When", "Who", "Release", "Why", "Proof"].map((header) => ({ header }));

function AbortTable({ items }: { items: readonly Abort[] }) {
  return (
    <Paper withBorder className={classes.frame}>
      <Table className={classes.aborts} verticalSpacing="xs" onPointerMove={showCutText}>
        <Table.Caption className="visually-hidden">Aborted releases, the last first</Table.Caption>
        <TableHead columns={columns} />
        <Table.Tbody>
          {items.map((abort) => (
            <AbortRow key={abort.release.id} abort={abort} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function AbortRow({ abort: { release, rollout, at, by, who, reason, why, auditSeq, runUid } }: { abort: Abort }) {
  const { revision, attempt, images, id } = release;
  return (
    <Table.Tr data-row>
      <Table.Td className={classes.when}>
        <RelativeTime at={at} isExact />
      </Table.Td>
      <Table.Td>
        <span className={classes.who} data-by={by}>
          <StateIcon state={by === "controller" ? "failed" : by === "unknown" ? "unknown" : "waiting"} size={14} />
          <strong>
            <bdi>{who}</bdi>
          </strong>
        </span>
        <Text size="xs" c="dimmed" fw={400}>
          {partyWords[by]}
        </Text>
      </Table.Td>
      <Table.Th scope="row">
        <PlaceName href={releaseHref(id)} namespace={rollout.namespace} name={rollout.name} />
        <Text size="xs" c="dimmed" fw={400}>
          <HostileText text={images.map(shortenImage).join(", ") || "version unknown"} />
          {revision !== null && ` · revision ${revision}`}
          {attempt > 1 && ` · attempt ${attempt}`} · {rollout.cluster}
        </Text>
      </Table.Th>
      <Table.Td>
        {reason !== null && reason !== "" && (
          <em>
            <HostileText text={reason} />
          </em>
        )}
        {by === "controller" && why !== "" && <HostileText text={why} />}
        {(reason === null || reason === "") && by !== "controller" && <Text c="dimmed">no reason</Text>}
      </Table.Td>
      <Table.Td className={classes.proof}>
        {auditSeq !== null && (
          <Anchor component={Link} href={auditHref(auditSeq)} inherit prefetch={false}>
            entry {auditSeq}
          </Anchor>
        )}
        {runUid !== null && (
          <Anchor
            component={Link}
            href={runHref(runUid)}
            inherit
            prefetch={false}
            aria-label={`Failed analysis run of ${rollout.name}`}
          >
            analysis run
          </Anchor>
        )}
        {runUid !== null && <span className={classes.runId}>{runUid}</span>}
        {auditSeq === null && runUid === null && (
          <Text c="dimmed">{by === "controller" ? "no failed run" : "no entry"}</Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

const partyWords: Readonly<Record<Abort["by"], string>> = {
  person: "through Gatehouse",
  client: "outside Gatehouse",
  controller: "on its own",
  unknown: "requester unknown",
};
