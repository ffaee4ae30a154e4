import type { Message } from "./compose-messages.ts";
import { linkTo, type NotifiableEvent } from "./notifiable-event.ts";

/** A CDEvent (cdevents.dev, 0.5.1). */
type CdEvent = {
  context: { specversion: "0.5.1"; id: string; source: string; type: string; timestamp: string };
  subject: { id: string; content: Record<string, unknown> };
  customData?: Record<string, unknown>;
};

/** A CDEvent in a CloudEvent 1.0, in structured mode: its attributes repeat those of the data. */
type CloudCdEvent = {
  specversion: "1.0";
  id: string;
  source: string;
  type: string;
  time: string;
  subject: string;
  datacontenttype: "application/json";
  data: CdEvent;
};

/** Formats the message about the end of a release as a CDEvent; undefined if it is about none. */
export function formatCdEvent({ events, shape }: Message, publicUrl: string): CloudCdEvent | undefined {
  const [event] = events;
  const data = event === undefined ? undefined : shape === "test" ? testOf(event, publicUrl) : dataOf(event, publicUrl);
  if (data === undefined) return undefined;
  const { id, source, type, timestamp } = data.context;
  return {
    ...{ specversion: "1.0", id, source, type, time: timestamp, subject: data.subject.id },
    ...{ datacontenttype: "application/json", data },
  };
}

function dataOf(event: NotifiableEvent, publicUrl: string): CdEvent | undefined {
  const { service, path, target } = event;
  if (service === undefined) return undefined;
  const { cluster, namespace, kind, name } = target;
  const { predicate, environment, artifacts } = service;
  return {
    context: contextOf(event, `dev.cdevents.service.${predicate}.0.3.0`, publicUrl),
    subject: {
      id: `${cluster}/${namespace}/${kind ?? ""}/${name}`,
      content: { environment: { id: environment }, artifactId: artifacts[0] },
    },
    customData: { ...target, link: linkTo(publicUrl, path), artifacts },
  };
}

/** A custom event: the vocabulary has none for a test. */
function testOf(event: NotifiableEvent, publicUrl: string): CdEvent {
  return {
    context: contextOf(event, "dev.cdeventsx.gatehouse-channel.tested.0.1.0", publicUrl),
    subject: { id: event.target.name, content: {} },
  };
}

function contextOf({ id, at }: NotifiableEvent, type: string, source: string): CdEvent["context"] {
  return { specversion: "0.5.1", id, source, type, timestamp: at };
}
