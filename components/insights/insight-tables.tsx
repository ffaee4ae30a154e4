import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { Counted } from "#components/insights/count-link.tsx";
import { type FigureColumn, FigureTable } from "#components/insights/figure-table.tsx";
import { formatFrequency, formatLength, formatShare } from "#components/insights/format-figures.ts";
import classes from "#components/insights/insights.module.css";
import { Section } from "#components/ui/section.tsx";
import { type InsightScope, insightReleasesHref, linkReleases, linkTemplate } from "#lib/client/insight-links.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { templateHref } from "#lib/client/template-path.ts";
import type { AnalysisInsights, ReleaseInsights, TemplateFigures } from "#lib/contract/insight.ts";
import { formatCountOf } from "#lib/util/words.ts";

type HourTableProps = { hours: ReleaseInsights["hours"]; scope: InsightScope; timeZone: string };

/** Shows at which hours of the day releases begin to wait for people, and for how long they then wait. */
export function HourTable({ hours, scope, timeZone }: HourTableProps) {
  const longest = Math.max(0, ...hours.map(({ median }) => median ?? 0));
  const shown = hours.filter(({ releases }) => releases > 0);
  if (shown.length === 0) return null;
  return (
    <Section id="by-hour" title="When releases wait for people" className={classes.panel} mb={2}>
      <Text size="sm" c="dimmed" mb="xs" className={classes.words}>
        By the hour in which a wait began, {timeZone}. Bars are the median of those waits; hours without one are left
        out.
      </Text>
      <ul className={classes.hours}>
        {shown.map(({ hour, releases, median }) => {
          const filter = { waitHour: String(hour), timeZone };
          const link = { count: releases, href: insightReleasesHref(scope, filter) };
          const text = `${String(hour).padStart(2, "0")}:00`;
          return (
            <li key={hour}>
              <span className={classes.hour}>{text}</span>
              <span className={classes.track} aria-hidden="true">
                <span style={{ width: `${longest === 0 ? 0 : ((median ?? 0) / longest) * 100}%` }} />
              </span>
              <span className={classes.length}>{formatLength(median)}</span>
              <span className={classes.count}>
                <Counted link={link} label={`that began to wait from ${text}`}>
                  {`${releases} ${releases === 1 ? "release" : "releases"}`}
                </Counted>
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

type Row = ReleaseInsights["rollouts"][number];

/** Lists the rollouts with their figures, those with the most failed releases first. */
export function RolloutTable({ insights, scope }: { insights: ReleaseInsights; scope: InsightScope }) {
  return (
    <FigureTable
      id="by-rollout"
      title="Rollouts"
      hint="Most failures first."
      columns={columnsOfRollouts(scope)}
      rows={insights.rollouts}
      keyOf={({ rollout }) => rollout.id}
      count={insights.rolloutCount}
    />
  );
}

function columnsOfRollouts(scope: InsightScope): FigureColumn<Row>[] {
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
      ...{ key: "waiting", header: "Waited: median, p90", ...right },
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

/** Lists the templates with the verdicts of their runs. */
export function TemplateTable({ insights, scope }: { insights: AnalysisInsights; scope: InsightScope }) {
  return (
    <FigureTable
      id="by-template"
      title="Templates"
      hint="By the verdicts of whole runs. A run of several templates counts for each template."
      columns={columnsOfTemplates(scope)}
      rows={insights.templates}
      keyOf={({ cluster, template }) => `${cluster} ${template?.id ?? ""}`}
      count={insights.templateCount}
    />
  );
}

const verdicts = [
  ["successful", "Successful"],
  ["failed", "Failed"],
  ["inconclusive", "Inconclusive"],
  ["error", "Error"],
] as const;

function columnsOfTemplates(scope: InsightScope): FigureColumn<TemplateFigures>[] {
  const links = (row: TemplateFigures) => linkTemplate(row, scope);
  const nameOf = ({ template }: TemplateFigures) => template?.name ?? "no known template";
  const right = { align: "right" } as const;
  return [
    {
      key: "name",
      header: "Template",
      isName: true,
      cell: ({ cluster, template }) => (
        <>
          {template === null ? (
            "No known template"
          ) : (
            <Anchor component={Link} href={templateHref(template.id)} prefetch={false} inherit>
              <bdi>{template.name}</bdi>
            </Anchor>
          )}
          <span className={classes.place}>
            <bdi>{template === null ? cluster : `${cluster} · ${template.namespace ?? "all namespaces"}`}</bdi>
          </span>
        </>
      ),
    },
    {
      ...{ key: "runs", header: "Runs", ...right },
      cell: (row) => <Counted link={links(row).runs} label={`runs of ${nameOf(row)}`} />,
    },
    ...verdicts.map(([key, word]) => ({
      ...{ key, header: word, ...right },
      cell: (row: TemplateFigures) => <Counted link={links(row)[key]} label={`${word} runs of ${nameOf(row)}`} />,
    })),
    {
      ...{ key: "waits", header: "People waited", ...right },
      cell: (row) =>
        row.waits.runs === 0 ? (
          "–"
        ) : (
          <>
            {formatLength(row.waits.seconds)}
            <span className={classes.place}>
              {"for "}
              <Counted link={links(row).waited} label={`of ${nameOf(row)} that a person was waited for`}>
                {formatCountOf(row.waits.runs, "run")}
              </Counted>
            </span>
          </>
        ),
    },
    {
      ...{ key: "overridden", header: "Overridden", ...right },
      cell: (row) => <Counted link={links(row).overridden} label={`runs of ${nameOf(row)} that a person overrode`} />,
    },
  ];
}
