"use client";

import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { IconSnowflake } from "#components/ui/icons.tsx";
import { useMayActSomewhere } from "#lib/client/system-queries.ts";

const FreezeDialog = dynamic(
  () => import("#components/actions/freeze-dialogs.tsx").then((module) => module.FreezeDialog),
  { ssr: false },
);

/** Opens the dialog that stops what advances rollouts; absent for those who may freeze nothing. */
export function FreezeButton() {
  const [isOpen, setOpen] = useState(false);
  if (!useMayActSomewhere("freeze")) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconSnowflake size={14} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        Freeze…
      </Button>
      {isOpen && <FreezeDialog onClose={() => setOpen(false)} />}
    </>
  );
}
