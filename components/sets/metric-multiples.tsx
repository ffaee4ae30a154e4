import { Button, Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import classes from "#components/sets/sets.module.css";
import { QueryView } from "#components/ui/query-view.tsx";
import { useVersionMetrics } from "#lib/client/set-queries.ts";

const LazyMultiples = dynamic(() => import("#components/sets/multiples.tsx").then((module) => module.Multiples), {
  ssr: false,
  loading: () => <Skeleton height={120} />,
});

type MetricMultiplesProps = { version: string; filters: Record<string, string> };

/** Compares one metric of a version over all rollouts that measure it, on one scale. Loads nothing until it is opened. */
export function MetricMultiples({ version, filters }: MetricMultiplesProps) {
  const [isOpen, setOpen] = useState(false);
  const query = useVersionMetrics(version, filters, isOpen);
  return (
    <section aria-label="Metrics" className={classes.metrics}>
      <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide metrics" : "Compare metrics"}
      </Button>
      {isOpen && (
        <QueryView what="The metrics" query={query} skeleton={<Skeleton height={120} />}>
          {(metrics) => <LazyMultiples metrics={metrics} />}
        </QueryView>
      )}
    </section>
  );
}
