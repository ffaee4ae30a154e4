import { Button } from "@mantine/core";
import classes from "#components/runs/runs.module.css";
import { runExportHref } from "#lib/client/run-page-queries.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

/** Downloads every measurement of the run; as JSON with the run itself. */
export function RunExport({ run }: { run: Pick<AnalysisRunDetail, "uid" | "name"> }) {
  return (
    <span className={classes.export}>
      {(["csv", "json"] as const).map((format) => (
        <Button
          key={format}
          component="a"
          size="compact-xs"
          variant="default"
          href={runExportHref(run.uid, format)}
          aria-label={`Export ${run.name} as ${format.toUpperCase()}`}
        >
          {format === "csv" ? "Export CSV" : "JSON"}
        </Button>
      ))}
    </span>
  );
}
