"use client";

import { Button, NativeSelect } from "@mantine/core";
import { usePrevious } from "#components/releases/previous-lane.tsx";
import { nameCompared } from "#components/releases/summarise-release.ts";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { nameRelease } from "#lib/client/record-names.ts";
import { useReleases } from "#lib/client/rollout-queries.ts";
import type { Release } from "#lib/contract/rollout.ts";

type CompareWithProps = {
  release: Release;
  /** The id of the release that is compared with this one; null if none is. */
  versus: string | null;
  onVersus: (id: string | null) => void;
};

/** Compares with the release before by one click, then with any other of the rollout by a choice. */
export function CompareWith({ release, versus, onVersus }: CompareWithProps) {
  const { cluster, namespace, name } = release.rollout;
  const previous = usePrevious(release);
  const others = useReleases({ cluster, namespace, name }).items?.filter(({ id }) => id !== release.id) ?? [];
  const isListed = others.some(({ id }) => id === versus);
  return (
    <>
      {versus !== null ? (
        <Button size="xs" variant="default" onClick={() => onVersus(null)}>
          Close comparison
        </Button>
      ) : (
        previous != null && (
          <Button size="xs" variant="default" onClick={() => onVersus(previous.id)}>
            Compare vs {nameCompared(release, previous)[1]}
          </Button>
        )
      )}
      {(versus !== null || previous === null) && others.length > 0 && (
        <NativeSelect
          aria-label="Compare with"
          size="xs"
          value={isListed ? (versus ?? "") : ""}
          data={[
            ...(isListed ? [] : [{ value: "", label: "Compare with …" }]),
            ...others.map((other) => ({ value: other.id, label: label(other) })),
          ]}
          onChange={(event) => {
            const id = event.currentTarget.value;
            if (id !== "") onVersus(id);
          }}
        />
      )}
    </>
  );
}

function label(release: Release): string {
  const version = release.images.map(shortenImage).join(", ");
  return `${nameRelease(release)}${version === "" ? "" : ` (${version})`}, ${classifyRelease(release).word.toLowerCase()}`;
}
