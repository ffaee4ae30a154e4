"use client";

import dynamic from "next/dynamic";

/** The saved views of a list. They come after the list: most people have none. */
export const ListViews = dynamic(
  () => import("#components/ui/list-views-bar.tsx").then((module) => module.ListViewsBar),
  { ssr: false },
);
