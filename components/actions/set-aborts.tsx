"use client";

import { Button, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import buttons from "#components/actions/actions.module.css";
import classes from "#components/actions/approvals.module.css";
import { useMayChoose } from "#components/actions/use-chosen.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ErrorNotice } from "#components/ui/query-view.tsx";
import { useSetAborts } from "#lib/client/set-queries.ts";
import type { SetAbort } from "#lib/contract/version-set.ts";
import { parseImage } from "#lib/domain/delivery/version-set.ts";

const ManyDialog = dynamic(() => import("#components/actions/many-dialog.tsx").then((module) => module.ManyDialog), {
  ssr: false,
});

/** Proposes to abort the other members of sets in which one was aborted; of one version, or of all. */
export function SetAborts({ version }: { version?: string }) {
  const { data, error, refetch } = useSetAborts();
  const mayAct = useMayChoose();
  const [asked, setAsked] = useState<SetAbort>();
  if (data === undefined)
    return error === null ? null : <ErrorNotice what="Aborts in sets" error={error} onRetry={refetch} />;
  const items = data.items.filter(
    ({ images }) => version === undefined || images.some((image) => parseImage(image).versions.includes(version)),
  );
  return (
    <>
      {items.length > 0 && (
        <ul className={classes.list} aria-label="Aborted in a part of a set">
          {items.map((item) => (
            <li key={`${item.set} ${item.images.join(" ")}`} className={classes.row}>
              <Text size="sm" className={classes.words}>
                <HostileText text={item.because} />
              </Text>
              {mayAct && (
                <Button
                  size="xs"
                  variant="default"
                  className={buttons.protective}
                  data-protective
                  onClick={() => setAsked(item)}
                >
                  Abort {item.rollouts.length}…
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {asked !== undefined && (
        <ManyDialog action="abort" rollouts={asked.rollouts} of={asked.version} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}
