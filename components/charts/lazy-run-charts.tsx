"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";

/** Loads the charts and their library only on pages that show them. */
export const LazyRunCharts = dynamic(
  () => import("#components/charts/run-charts.tsx").then((module) => module.RunCharts),
  {
    ssr: false,
    loading: () => <Skeleton height={240} />,
  },
);
