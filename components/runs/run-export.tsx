import { Button } from "@mantine/core";
import classes from "#components/runs/runs.module.css";
import { runExportHref } from "#lib/client/run-page-queries.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

const words = { csv: "Export CSV", json: "JSON" };

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
          aria-label={`${words[format]} of ${run.name}`}
        >
          {words[format]}
        </Button>
      ))}
    </span>
  );
}
