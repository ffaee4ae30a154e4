"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";

/** The charts and their library, fetched only by pages that show them. */
export const LazyRunCharts = dynamic(
  () => import("#components/charts/run-charts.tsx").then((module) => module.RunCharts),
  {
    ssr: false,
    loading: () => <Skeleton height={240} />,
  },
);
