import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { type Message, titleOf } from "#lib/domain/notify/compose-messages.ts";
import { nameVersion } from "#lib/domain/notify/make-notifiable-event.ts";
import type { DeploymentStatus, NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";

type Told = {
  channel: { name: string };
  release: { id: string; images: readonly string[]; cluster: string; namespace: string; kind: string; name: string };
  status: DeploymentStatus;
  at: Date;
};

/** Makes the message that tells a channel of the state of a release; the same state gives the same ids. */
export function makeReleaseMessage(
  { channel, release, status, at }: Told,
  report: Pick<NotifiableEvent, "deployment" | "service">,
): Message {
  const { cluster, namespace, kind, name, id } = release;
  const version = nameVersion(release.images);
  const event: NotifiableEvent = {
    id: stableUuid("deployment", channel.name, id, status),
    ...{ kind: "deployment", severity: "info", target: { cluster, namespace, kind, name } },
    ...{ facts: [], path: `/releases/${id}`, at: at.toISOString() },
    title: redactText(`${version === null ? "Release" : `Release of ${version}`} ${words[status]}`),
    sentence: "",
    ...report,
  };
  return {
    id: stableUuid("message", channel.name, event.id),
    ...{ shape: "single", severity: "info", title: titleOf([event]), routes: [], events: [event] },
  };
}

const words = {
  in_progress: "began",
  success: "was promoted",
  failure: "was aborted",
  inactive: "was replaced, or its end is unknown",
} as const satisfies Record<DeploymentStatus, string>;
