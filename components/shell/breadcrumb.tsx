"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { describePath, findShown, type Shown } from "#components/shell/describe-path.ts";
import classes from "#components/shell/shell.module.css";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { nameRelease, nameRun } from "#lib/client/record-names.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import type { ExperimentDetail } from "#lib/contract/experiment.ts";
import type { FindingDetail } from "#lib/contract/finding.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

export function Breadcrumb() {
  const pathname = usePathname();
  const crumbs = describePath(pathname, useShownName(findShown(pathname)));
  return (
    <nav aria-label="Breadcrumb" className={classes.crumbs}>
      <ol>
        {crumbs.map(({ label, href }, index) => (
          <li key={href ?? label} title={label}>
            {href === undefined ? (
              <span aria-current={index === crumbs.length - 1 ? "page" : undefined}>{label}</span>
            ) : (
              <HoverLink href={href}>{label}</HoverLink>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Returns the name of the object on the page. The page loads the object; this only reads the cache. */
function useShownName(shown: Shown | undefined): string | undefined {
  const { queryKey, nameOf } = namings[shown?.kind ?? "analysis-runs"](shown?.id ?? "");
  const { data } = useQuery<unknown>({ queryKey, enabled: false });
  return data === undefined ? undefined : nameOf(data);
}

type Naming = (id: string) => { queryKey: readonly unknown[]; nameOf: (data: unknown) => string };

/** The data comes from the page's own cache entry, under the same key. */
const namings: Record<Shown["kind"], Naming> = {
  "analysis-runs": (uid) => ({ queryKey: queryKeys.run(uid), nameOf: (data) => nameRun(data as AnalysisRunDetail) }),
  releases: (id) => ({
    queryKey: queryKeys.release(id),
    nameOf: (data) => {
      const { release } = data as ReleaseCourse;
      return `${release.rollout.namespace}/${release.rollout.name}, ${nameRelease(release)}`;
    },
  }),
  experiments: (uid) => ({
    queryKey: queryKeys.experiment(uid),
    nameOf: (data) => {
      const { namespace, name } = data as ExperimentDetail;
      return `${namespace}/${name}`;
    },
  }),
  findings: (id) => ({ queryKey: queryKeys.finding(id), nameOf: (data) => (data as FindingDetail).title }),
};
