"use client";

import dynamic from "next/dynamic";

// Few people open these pages: their code must not grow the chunks that every page shares.

export const AccessPage = dynamic(
  () => import("#components/admin/access-page.tsx").then((module) => module.AccessPage),
  {
    ssr: false,
  },
);
export const FreezesPage = dynamic(
  () => import("#components/admin/freezes-page.tsx").then((module) => module.FreezesPage),
  { ssr: false },
);
export const PoliciesPage = dynamic(
  () => import("#components/admin/policies-page.tsx").then((module) => module.PoliciesPage),
  { ssr: false },
);
export const LinksPage = dynamic(() => import("#components/admin/links-page.tsx").then((module) => module.LinksPage), {
  ssr: false,
});
export const ConfigPage = dynamic(
  () => import("#components/admin/config-page.tsx").then((module) => module.ConfigPage),
  {
    ssr: false,
  },
);
export const StoragePage = dynamic(
  () => import("#components/admin/storage-page.tsx").then((module) => module.StoragePage),
  { ssr: false },
);
