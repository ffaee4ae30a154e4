"use client";

import { NativeSelect } from "@mantine/core";
import { useRouter } from "next/navigation";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { nameRelease } from "#lib/client/record-names.ts";
import { useReleases } from "#lib/client/rollout-queries.ts";
import type { Release } from "#lib/contract/rollout.ts";

/** Offers the other releases of the rollout to compare this one with. */
export function CompareWith({ release }: { release: Release }) {
  const { cluster, namespace, name } = release.rollout;
  const router = useRouter();
  const others = useReleases({ cluster, namespace, name }).items?.filter(({ id }) => id !== release.id) ?? [];
  if (others.length === 0) return null;
  return (
    <NativeSelect
      aria-label="Compare with"
      size="xs"
      value=""
      data={[
        { value: "", label: "Compare with …" },
        ...others.map((other) => ({ value: other.id, label: label(other) })),
      ]}
      onChange={(event) => {
        const other = event.currentTarget.value;
        if (other !== "") router.push(compareHref(release.id, other));
      }}
    />
  );
}

export function compareHref(one: string, other: string): string {
  return `/releases/compare?${new URLSearchParams({ one, other })}`;
}

function label(release: Release): string {
  const version = release.images.map(shortenImage).join(", ");
  return `${nameRelease(release)}${version === "" ? "" : ` (${version})`}, ${classifyRelease(release).word.toLowerCase()}`;
}
