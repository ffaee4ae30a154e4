"use client";

import { Button, CopyButton } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { IconLink } from "@tabler/icons-react";
import { ownUrl } from "#lib/client/base-path.ts";
import { auditHref } from "#lib/client/rollout-path.ts";

/** Shows the address of an entry, for a ticket or a post-mortem: entries are never renumbered. */
export function Permalink({ seq }: { seq: number }) {
  const isMounted = useMounted();
  if (!isMounted) return null;
  return (
    <CopyButton value={ownUrl() + auditHref(seq)} timeout={4000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconLink size={14} aria-hidden="true" />}
          onClick={copy}
          aria-live="polite"
        >
          {copied ? "Copied" : "Copy the link"}
        </Button>
      )}
    </CopyButton>
  );
}
