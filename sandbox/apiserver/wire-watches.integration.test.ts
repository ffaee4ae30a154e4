import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "./store-types.ts";
import { openWatch } from "./testing/http-client.ts";
import { WATCH_CASES, type WatchCase } from "./testing/wire-cases.ts";
import {
  isWatch,
  objectsOf,
  RECORDINGS,
  type RecordedEvent,
  type Recording,
  readRecording,
  recordedEvents,
  recordingNames,
  WireCorpus,
} from "./testing/wire-corpus.ts";
import { LEFT_OUT } from "./testing/wire-left-out.ts";
import {
  forgetVersion,
  normalise,
  simplify,
  startWireWorld,
  type WireWorld,
  withVersion,
} from "./testing/wire-world.ts";

const hasRecordings = existsSync(RECORDINGS);
const leftOut = LEFT_OUT.flatMap(({ names }) => names);
const watches = (hasRecordings ? recordingNames() : []).filter(
  (name) => !leftOut.includes(name) && isWatch(readRecording(name)),
);
/** Watches end by themselves; the recorded ones took seconds or minutes. */
const TIMEOUT_SECONDS = "0.3";

describe("recorded watches", () => {
  let world: WireWorld;
  let corpus: WireCorpus;
  beforeAll(async () => {
    world = await startWireWorld({ bookmarksMs: 50 });
    if (hasRecordings) corpus = new WireCorpus();
  });
  afterAll(() => world.sandbox.close());

  it("the table names watches that are replayed", (context) => {
    if (!hasRecordings) return context.skip(`the recordings are not at ${RECORDINGS}`);
    expect(Object.keys(WATCH_CASES).filter((name) => !watches.includes(name))).toEqual([]);
  });

  /** Restores the state before the watch was opened. */
  function prepare(events: RecordedEvent[], live: RecordedEvent[]): void {
    world.clear();
    const whole = events.filter((event) => !live.includes(event)).map(({ object }) => wholeOf(object));
    world.put(whole.filter((object) => object !== undefined));
    const seen = new Set<string>();
    for (const { type, object } of live) {
      if (seen.has(object.metadata.uid)) continue;
      seen.add(object.metadata.uid);
      if (type === "ADDED") continue;
      const before = corpus.stateBefore(object);
      // The first of two events shows a label removed; the second shows it restored.
      const state = type === "DELETED" ? live.findLast((event) => event.type === "ADDED")?.object : before;
      world.put([state ?? { ...object, spec: {} }]);
    }
  }

  /** Finds the whole object: Tables and metadata do not contain it, but another recording does. */
  function wholeOf(shown: KubeObject): KubeObject | undefined {
    const rows = shown.kind === "Table" ? (shown.rows as { object: KubeObject }[]) : [{ object: shown }];
    const object = rows[0]?.object;
    return object === undefined || object.metadata.uid === undefined
      ? undefined
      : (corpus.stateAt(object) ?? undefined);
  }

  function happen(name: string, { type, object }: RecordedEvent): void {
    const { namespace, name: objectName } = object.metadata;
    if (name === "watch-label-selector-leaves" && type === "DELETED") {
      world.put([{ ...object, metadata: { ...object.metadata, labels: {} } }]);
    } else if (type === "DELETED") world.sandbox.store.delete("rollouts", namespace, objectName);
    else world.put([object]);
  }

  it.for(watches)("%s", async (name, context) => {
    if (!hasRecordings) return context.skip(`the recordings are not at ${RECORDINGS}`);
    const recording = readRecording(name);
    const wanted: WatchCase = WATCH_CASES[name] ?? {};
    const events = recordedEvents(recording);
    const objects = events.filter(({ type }) => type !== "BOOKMARK" && type !== "ERROR" && type !== undefined);
    const live = wanted.live === undefined ? [] : objects.slice(-wanted.live);
    prepare(objects, live);
    if (wanted.patch !== undefined) world.put(objectsOf(readRecording(wanted.patch)));
    const version = world.sandbox.store.resourceVersion();
    if (wanted.version === "forgotten") forgetVersion(world);
    const watch = await open(recording, version);
    for (const event of live) happen(name, event);
    if (wanted.patch !== undefined) expect((await world.replay(readRecording(wanted.patch))).status).toBe(200);
    expect(await watch.ended).toBe("end");
    expect(comparableEvents(watch.events() as RecordedEvent[])).toEqual(comparableEvents(events));
  });

  function open(recording: Recording, version: number): ReturnType<typeof openWatch> {
    const path = withVersion(recording.request.path, { version, timeoutSeconds: TIMEOUT_SECONDS });
    const { token, headers } = world.call(recording);
    const target = { url: world.sandbox.url, token: token ?? "" };
    return openWatch(target, path, headers as Record<string, string>);
  }
});

/** Returns types and objects; the number of consecutive bookmarks depends on timing. */
function comparableEvents(events: RecordedEvent[]): unknown[] {
  const isRepeated = (event: RecordedEvent, i: number): boolean =>
    event.type === "BOOKMARK" && events[i - 1]?.type === "BOOKMARK";
  return events
    .filter((event, i) => !isRepeated(event, i))
    .map((event) => {
      const { object, ...rest } = event;
      return { ...rest, ...(object === undefined ? {} : { object: simplify(normalise(object)) }) };
    });
}
