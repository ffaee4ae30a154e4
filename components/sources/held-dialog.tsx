"use client";

import { Anchor, Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useState } from "react";
import classes from "#components/sources/sources.module.css";
import { classifySource } from "#components/ui/classify-state.ts";
import { DialogFoot, ReasonField } from "#components/ui/dialog-parts.tsx";
import { LoadMore, QueryView } from "#components/ui/query-view.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { useHeldObjects, useReleaseHeld } from "#lib/client/source-queries.ts";
import { useIsClusterAdmin } from "#lib/client/system-queries.ts";
import type { HeldObject, Source, SourceHold } from "#lib/contract/system.ts";
import { isBlank } from "#lib/util/text.ts";
import { formatCountOf } from "#lib/util/words.ts";

type HeldDialogProps = { source: Source; onClose: () => void };

/**
 * Lists the objects that a source holds, by name. An admin can also confirm that they are gone and follow this until
 * the source is live.
 */
export function HeldDialog({ source, onClose }: HeldDialogProps) {
  const isAdmin = useIsClusterAdmin(source.cluster);
  const release = useReleaseHeld();
  // Keeps the count of held objects at the confirmation, because the source drops it.
  const [released, setReleased] = useState<string>();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={
        <Text component="span" fw={600} size="lg">
          Held: {source.kind}s of {source.cluster}
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {release.isSuccess && released !== undefined ? (
        <Followed source={source} released={released} onClose={onClose} />
      ) : source.hold === null ? (
        <Stack gap="md">
          <Text role="status">
            Nothing is held anymore; Gatehouse read the source again. The source is{" "}
            {classifySource(source.state).word.toLowerCase()}.
          </Text>
          <CloseButton onClose={onClose} />
        </Stack>
      ) : (
        <Stack gap="md">
          <Text>{releaseEffect(source.kind, source.hold)}</Text>
          <HeldList source={source.id} />
          {isAdmin ? (
            <ReleaseForm
              label={`Release ${formatCountOf(source.hold.count, source.kind)}`}
              error={release.error}
              isPending={release.isPending || source.hold.releasing}
              onCancel={onClose}
              onSubmit={(reason) => {
                setReleased(formatCountOf(source.hold?.count ?? 0, source.kind));
                release.mutate({ source: source.id, reason });
              }}
            />
          ) : (
            <>
              <Text size="sm" c="dimmed">
                An admin of the cluster can release them. Otherwise Gatehouse settles this when it reads the source
                again.
              </Text>
              <CloseButton onClose={onClose} />
            </>
          )}
        </Stack>
      )}
    </Modal>
  );
}

function HeldList({ source }: { source: string }) {
  const held = useHeldObjects(source);
  return (
    <QueryView
      what="The held objects"
      query={{ data: held.items, error: held.error, refetch: held.retry }}
      skeleton={<Text size="sm">Loading.</Text>}
    >
      {(items) => (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and without it the keyboard could not. */}
          <ul className={classes.held} aria-label="Held objects" tabIndex={0}>
            {byName(items).map(({ uid, text }) => (
              <li key={uid}>
                <bdi>{text}</bdi>
              </li>
            ))}
          </ul>
          <LoadMore hasMore={held.hasMore} isLoading={held.isLoadingMore} onLoad={held.loadMore} />
        </>
      )}
    </QueryView>
  );
}

function byName(items: readonly HeldObject[]): { uid: string; text: string }[] {
  return items
    .map(({ uid, namespace, name }) => ({
      uid,
      text: name === null ? `not recorded, uid ${uid}` : namespace === null ? name : `${namespace}/${name}`,
    }))
    .toSorted((left, right) => left.text.localeCompare(right.text));
}

type ReleaseFormProps = {
  label: string;
  error: Error | null;
  isPending: boolean;
  onCancel: () => void;
  onSubmit: (reason: string) => void;
};

function ReleaseForm({ label, error, isPending, onCancel, onSubmit }: ReleaseFormProps) {
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  function submit(event: React.FormEvent): void {
    event.preventDefault();
    setSent(true);
    if (!isBlank(reason)) onSubmit(reason.trim());
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} />
        <DialogFoot label={label} onCancel={onCancel} isPending={isPending} error={error} errorTitle="Not released" />
      </Stack>
    </form>
  );
}

/** Polls faster than usual until the recorder has carried out the confirmation, which takes about a second. */
function Followed({ source, released, onClose }: HeldDialogProps & { released: string }) {
  const queries = useQueryClient();
  const { isDone, words } = followRelease(source, released);
  useEffect(() => {
    if (isDone) return;
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: queryKeys.sources() }), 1_000);
    return () => clearInterval(timer);
  }, [isDone, queries]);
  return (
    <Stack gap="md">
      <Group gap="sm" role="status" wrap="nowrap" align="flex-start">
        {isDone ? <StateBadge shown={classifySource(source.state)} size="sm" /> : <Loader size="xs" mt={4} />}
        <Text>{words}</Text>
      </Group>
      <Anchor component={Link} href="/audit" size="sm" onClick={onClose}>
        Audit log
      </Anchor>
      <CloseButton onClose={onClose} />
    </Stack>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </Group>
  );
}

/** Describes the effect of confirming that held objects are gone, for the person who is about to do it. */
function releaseEffect(kind: string, { count }: Pick<SourceHold, "count">): string {
  const [them, they, their, leave] = count === 1 ? ["it", "it", "Its", "leaves"] : ["them", "they", "Their", "leave"];
  return `The cluster no longer shows ${formatCountOf(count, kind)}, but Gatehouse has not marked ${them} gone. Releasing marks ${them} gone at once: ${they} ${leave} the inbox and the lists, and all actions on ${them} are off. ${their} history stays. Gatehouse resumes with any object that the cluster shows again.`;
}

/** Returns how far such a confirmation has got, from the current source. */
function followRelease(
  { hold, state }: Pick<Source, "hold" | "state">,
  released: string,
): {
  isDone: boolean;
  words: string;
} {
  if (hold?.releasing === true)
    return { isDone: false, words: `Released. Waiting for the recorder to mark ${released} gone.` };
  if (hold !== null)
    return {
      isDone: true,
      words: `${released} released. Meanwhile ${hold.count} more vanished and are held.`,
    };
  if (state === "live") return { isDone: true, words: `Done: ${released} marked gone, and the source is live again.` };
  return { isDone: false, words: `${released} marked gone. Waiting for the source to be live again.` };
}
