"use client";

import dynamic from "next/dynamic";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";

const loading = () => <PageSkeleton blocks={[[34], [28, "14rem"], [320]]} />;

// Few people open these pages: their code must not grow the chunks that every page shares.

export const AccessPage = dynamic(
  () => import("#components/admin/access-page.tsx").then((module) => module.AccessPage),
  { ssr: false, loading },
);
export const FreezesPage = dynamic(
  () => import("#components/admin/freezes-page.tsx").then((module) => module.FreezesPage),
  { ssr: false, loading },
);
export const PoliciesPage = dynamic(
  () => import("#components/admin/policies-page.tsx").then((module) => module.PoliciesPage),
  { ssr: false, loading },
);
export const LinksPage = dynamic(() => import("#components/admin/links-page.tsx").then((module) => module.LinksPage), {
  ssr: false,
  loading,
});
export const ConfigPage = dynamic(
  () => import("#components/admin/config-page.tsx").then((module) => module.ConfigPage),
  { ssr: false, loading },
);
export const StoragePage = dynamic(
  () => import("#components/admin/storage-page.tsx").then((module) => module.StoragePage),
  { ssr: false, loading },
);
