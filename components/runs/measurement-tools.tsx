import { Button, CopyButton, Switch, Text } from "@mantine/core";
import classes from "#components/runs/measurements.module.css";
import { formatForClipboard } from "#components/runs/prepare-measurement-rows.ts";
import { runExportHref } from "#lib/client/run-page-queries.ts";
import type { AnalysisRunDetail, Measurement } from "#lib/contract/analysis-run.ts";
import { formatCount } from "#lib/util/words.ts";

type MeasurementToolsProps = {
  run: Pick<AnalysisRunDetail, "uid" | "startedAt">;
  metric: string;
  /** Undefined until they are loaded. */
  items: readonly Measurement[] | undefined;
  hasMore: boolean;
  /** How many there are, in words. */
  counted: string;
  isOnly: boolean;
  onOnly: (isOnly: boolean) => void;
};

/** Filters a table of measurements and exports them: all as CSV, or the loaded ones to the clipboard. */
export function MeasurementTools({ run, metric, items, hasMore, counted, isOnly, onOnly }: MeasurementToolsProps) {
  return (
    <div className={classes.tools}>
      <Switch
        size="xs"
        label="Only not successful"
        checked={isOnly}
        onChange={(event) => onOnly(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed" role="status">
        {counted}
      </Text>
      <span className={classes.take}>
        {items !== undefined && items.length > 0 && (
          <CopyButton value={formatForClipboard(items, run.startedAt)} timeout={4000}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy}>
                {copied ? "Copied" : hasMore ? `Copy these ${formatCount(items.length)}` : "Copy"}
                <span className="visually-hidden"> measurements of {metric}</span>
              </Button>
            )}
          </CopyButton>
        )}
        <Button
          component="a"
          size="compact-xs"
          variant="default"
          href={runExportHref(run.uid, "csv", metric)}
          aria-label={`CSV of all measurements of ${metric}`}
        >
          CSV
        </Button>
      </span>
    </div>
  );
}
