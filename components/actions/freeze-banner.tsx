"use client";

import { Alert, Button, Group, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconSnowflake } from "#components/ui/icons.tsx";
import { useFreezes } from "#lib/client/freeze-queries.ts";
import type { Freeze } from "#lib/contract/freeze.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";

const ChangeFreezeDialog = dynamic(
  () => import("#components/actions/freeze-dialogs.tsx").then((module) => module.ChangeFreezeDialog),
  { ssr: false },
);

/** Shows the freezes that people made: what, where, until when, by whom and why. */
export function FreezeBanner() {
  const freezes = useFreezes().data?.items ?? [];
  // The dialog stays open if its freeze ends meanwhile.
  const [open, setOpen] = useState<{ freeze: Freeze; change: Change }>();
  return (
    <>
      {freezes.map((freeze) => (
        <Line key={freeze.id} freeze={freeze} onChange={(change) => setOpen({ freeze, change })} />
      ))}
      {open !== undefined && <ChangeFreezeDialog {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

type Change = "extend" | "end";

function Line({ freeze, onChange }: { freeze: Freeze; onChange: (change: Change) => void }) {
  const { inForce, scope, startsAt, endsAt, madeBy, reason, mayEnd } = freeze;
  const when = inForce ? `until ${formatExact(endsAt)}` : `from ${formatExact(startsAt)} until ${formatExact(endsAt)}`;
  return (
    <Alert
      color="blue"
      variant="outline"
      mb="md"
      role="status"
      bg="var(--gh-surface)"
      icon={<IconSnowflake size={18} />}
    >
      <Group gap="sm" justify="space-between">
        <Text size="sm">
          <strong>
            {inForce ? "Promotions are frozen" : "Promotions will be frozen"} <bdi>{describeScope(scope)}</bdi> {when}
          </strong>{" "}
          by <bdi>{madeBy}</bdi>: <HostileText text={reason} />
        </Text>
        {mayEnd && (
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => onChange("extend")}>
              Extend…
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onChange("end")}>
              End…
            </Button>
          </Group>
        )}
      </Group>
    </Alert>
  );
}
