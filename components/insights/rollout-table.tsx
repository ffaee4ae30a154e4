import { Anchor } from "@mantine/core";
import Link from "next/link";
import { Counted } from "#components/insights/count-link.tsx";
import { type FigureColumn, FigureTable } from "#components/insights/figure-table.tsx";
import { formatFrequency, formatLength, formatShare } from "#components/insights/format-figures.ts";
import classes from "#components/insights/insights.module.css";
import { type InsightScope, linkReleases } from "#lib/client/insight-links.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { ReleaseInsights } from "#lib/contract/insight.ts";

type Row = ReleaseInsights["rollouts"][number];

/** Lists the rollouts with their figures, those with the most failed releases first. */
export function RolloutTable({ insights, scope }: { insights: ReleaseInsights; scope: InsightScope }) {
  return (
    <FigureTable
      id="by-rollout"
      title="Rollouts"
      hint="Most failures first."
      columns={columnsOf(scope)}
      rows={insights.rollouts}
      keyOf={({ rollout }) => rollout.id}
      count={insights.rolloutCount}
    />
  );
}

function columnsOf(scope: InsightScope): FigureColumn<Row>[] {
  const links = ({ rollout, figures }: Row) => {
    const { cluster, namespace, kind, name } = rollout;
    return linkReleases(figures, { ...scope, cluster, namespace, kind, rollout: name });
  };
  const right = { align: "right" } as const;
  const of = ({ rollout }: Row) => `of ${rollout.namespace}/${rollout.name}`;
  return [
    {
      key: "name",
      header: "Rollout",
      isName: true,
      cell: ({ rollout }) => (
        <>
          <Anchor component={Link} href={rolloutHref(rollout)} prefetch={false} inherit>
            <bdi>{rollout.name}</bdi>
          </Anchor>
          <span className={classes.place}>
            <bdi>{`${rollout.cluster} · ${rollout.namespace}`}</bdi>
          </span>
        </>
      ),
    },
    {
      ...{ key: "releases", header: "Releases", ...right },
      cell: (row) => <Counted link={links(row).releases} label={`releases ${of(row)}`} />,
    },
    {
      ...{ key: "promoted", header: "Promoted", ...right },
      cell: (row) => <Counted link={links(row).promoted} label={`promoted releases ${of(row)}`} />,
    },
    {
      ...{ key: "aborted", header: "Aborted", ...right },
      cell: (row) => <Counted link={links(row).aborted} label={`aborted releases ${of(row)}`} />,
    },
    {
      ...{ key: "undone", header: "Undone", ...right },
      cell: (row) => <Counted link={links(row).undone} label={`undone releases ${of(row)}`} />,
    },
    {
      ...{ key: "failure", header: "Change failure rate", ...right },
      cell: (row) => {
        const { rate, count, of: all } = row.figures.changeFailure;
        return (
          <Counted link={{ ...links(row).failed, count }} label={`failed releases ${of(row)}`}>
            {all === 0 ? "unknown" : `${formatShare(rate)}, ${count} of ${all}`}
          </Counted>
        );
      },
    },
    {
      ...{ key: "frequency", header: "Promotions", ...right },
      cell: ({ figures }) => Object.values(formatFrequency(figures.perDay)).join(" "),
    },
    {
      ...{ key: "recovery", header: "Time to recover", ...right },
      cell: (row) => (
        <Counted link={links(row).recovered} label={`recovered releases ${of(row)}`}>
          {row.figures.changeFailure.count === 0 ? "–" : formatLength(row.figures.recovery.median)}
        </Counted>
      ),
    },
    {
      ...{ key: "waiting", header: "Waited: median, 9 of 10", ...right },
      cell: (row) => {
        const { count, median, p90, unknown, ended } = row.figures.waiting;
        if (count === 0) return unknown > 0 || ended === 0 ? "unknown" : "none";
        return (
          <Counted link={links(row).waited} label={`releases ${of(row)} that waited`}>
            {`${formatLength(median)}, ${formatLength(p90)}`}
          </Counted>
        );
      },
    },
  ];
}
