import { Anchor } from "@mantine/core";
import Link from "next/link";
import { Counted } from "#components/insights/count-link.tsx";
import { type FigureColumn, FigureTable } from "#components/insights/figure-table.tsx";
import { countOf, formatLength } from "#components/insights/format-figures.ts";
import classes from "#components/insights/insights.module.css";
import { type InsightScope, linkTemplate } from "#lib/client/insight-links.ts";
import { templateHref } from "#lib/client/template-path.ts";
import type { AnalysisInsights, TemplateFigures } from "#lib/contract/insight.ts";

/** Lists the templates with the verdicts of their runs. */
export function TemplateTable({ insights, scope }: { insights: AnalysisInsights; scope: InsightScope }) {
  return (
    <FigureTable
      id="by-template"
      title="Templates"
      hint="By the verdicts of whole runs. A run of several templates counts for each template."
      columns={columnsOf(scope)}
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

function columnsOf(scope: InsightScope): FigureColumn<TemplateFigures>[] {
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
                {countOf(row.waits.runs, "run")}
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
