"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";

/** The editor is loaded only by this page. */
export const LazyLabPage = dynamic(
  () => import("#components/templates/lab-page.tsx").then((module) => module.LabPage),
  { ssr: false, loading: () => <Skeleton height={480} aria-busy="true" /> },
);
