"use client";

import { Skeleton } from "@mantine/core";
import { QueryView } from "#components/ui/query-view.tsx";
import { useChartMeasurements, useRun } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail, MeasurementList } from "#lib/contract/analysis-run.ts";

type LoadedRunProps = {
  uid: string;
  /** Named if it cannot be loaded. */
  what: string;
  children: (run: AnalysisRunDetail, list: MeasurementList) => React.ReactNode;
};

/** Loads a run with the measurements for its charts. */
export function LoadedRun({ uid, what, children }: LoadedRunProps) {
  const run = useRun(uid);
  const measurements = useChartMeasurements(uid);
  const data =
    run.data === undefined || measurements.data === undefined ? undefined : { run: run.data, list: measurements.data };
  return (
    <QueryView
      what={what}
      data={data}
      error={run.error ?? measurements.error}
      retry={() => {
        void run.refetch();
        void measurements.refetch();
      }}
      skeleton={<Skeleton height={240} />}
    >
      {(loaded) => children(loaded.run, loaded.list)}
    </QueryView>
  );
}
