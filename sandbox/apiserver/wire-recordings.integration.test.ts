import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isPlainObject } from "./shared-copy.ts";
import type { KubeObject } from "./store-types.ts";
import { WIRE_CASES, type WireCase } from "./testing/wire-cases.ts";
import {
  isWatch,
  objectsOf,
  RECORDINGS,
  type Recording,
  readRecording,
  recordingNames,
  WireCorpus,
} from "./testing/wire-corpus.ts";
import { LEFT_OUT } from "./testing/wire-left-out.ts";
import { comparable, forgetVersion, seed, startWireWorld, type WireWorld, withVersion } from "./testing/wire-world.ts";

const hasRecordings = existsSync(RECORDINGS);
const leftOut = LEFT_OUT.flatMap(({ names }) => names);
const all = hasRecordings ? recordingNames() : [];
/** Open watches are replayed in a separate file. */
const answered = all.filter((name) => !leftOut.includes(name) && !isWatch(readRecording(name)));

describe("the list of what is left out", () => {
  it("names recordings that are there, each once, and no other table names them", (context) => {
    if (!hasRecordings) return context.skip(`the recordings are not at ${RECORDINGS}`);
    expect(leftOut.filter((name) => !all.includes(name))).toEqual([]);
    expect(new Set(leftOut).size).toBe(leftOut.length);
    const cases = Object.keys(WIRE_CASES);
    expect(cases.filter((name) => leftOut.includes(name) || !answered.includes(name))).toEqual([]);
  });
});

describe("recordings of a real API server", () => {
  let world: WireWorld;
  let corpus: WireCorpus;
  beforeAll(async () => {
    world = await startWireWorld();
    if (hasRecordings) corpus = new WireCorpus();
  });
  afterAll(() => world.sandbox.close());
  afterEach(() => world.sandbox.fault({ fault: "none" }));

  /** Puts the cluster into the state before the request; returns the version that replaces the recorded one. */
  async function prepare(recording: Recording, wanted: WireCase): Promise<number> {
    world.clear();
    const { store } = world.sandbox;
    const shown = objectsOf(recording);
    const [first] = shown;
    const isList = isPlainObject(recording.response?.body) && Array.isArray(recording.response.body.items);
    if (wanted.isBulk) return prepareBulk();
    if (wanted.from !== undefined) world.put(wanted.from.flatMap((name) => objectsOf(readRecording(name))));
    else if (isList) world.put([...shown, ...copiesOf(first, wanted.others ?? 0)]);
    else if (first === undefined) await seed(world);
    else if (recording.request.method !== "POST") {
      const before = stateBefore(recording, first, wanted);
      world.put(before);
      if (before.length === 0) await seed(world);
    }
    const version = store.resourceVersion();
    if (wanted.version === "forgotten") forgetVersion(world);
    return version;
  }

  function stateBefore({ request }: Recording, after: KubeObject, wanted: WireCase): KubeObject[] {
    if (wanted.before !== undefined) return [wanted.before(after)];
    const isSame = request.method === "GET" || wanted.isUnchanged === true;
    const state = isSame ? corpus.stateAt(after) : corpus.stateBefore(after);
    return state === undefined ? [] : [state];
  }

  /** Returns the body with the stored object's version. */
  function withCurrentVersion(recording: Recording): Recording {
    const { body } = recording.request;
    const [object] = objectsOf(recording);
    if (object === undefined || !isPlainObject(body) || !isPlainObject(body.metadata)) return recording;
    const { namespace, name } = object.metadata;
    const resourceVersion = world.sandbox.store.get("rollouts", namespace, name)?.metadata.resourceVersion;
    const metadata = { ...body.metadata, resourceVersion };
    return { ...recording, request: { ...recording.request, body: { ...body, metadata } } };
  }

  /** Stores many objects: the recordings contain the first items of the pages; the others are copies. */
  function prepareBulk(): number {
    const { store } = world.sandbox;
    const known = ["list-300-page1", "list-300-page2-after-writes", "list-300-page3-after-writes"].flatMap((name) =>
      objectsOf(readRecording(name)),
    );
    const pattern = known[0];
    const names = Array.from({ length: 300 }, (_, i) => `demo-${String(i).padStart(3, "0")}`);
    if (pattern === undefined) throw new Error("no recorded item of the long list");
    world.put(names.map((name) => known.find(({ metadata }) => metadata.name === name) ?? renamed(pattern, name)));
    const version = store.resourceVersion();
    store.delete("rollouts", "bulk", "demo-250");
    world.put([renamed(pattern, "demo-1505")]);
    return version;
  }

  // Without recordings, one test is skipped with the reason: a suite without a test fails.
  it.for(hasRecordings ? answered : ["every recording"])("%s", async (name, context) => {
    if (!hasRecordings) return context.skip(`the recordings are not at ${RECORDINGS}`);
    const wanted = WIRE_CASES[name] ?? {};
    const recording = readRecording(name);
    const { response, request } = recording;
    const version = await prepare(recording, wanted);
    if (wanted.fault !== undefined) world.sandbox.fault(wanted.fault);
    const path = withVersion(request.path, { version, timeout: wanted.timeout });
    const replay = world.replay(wanted.isCurrent === true ? withCurrentVersion(recording) : recording, path);
    if (response?.status === null) {
      await expect(replay).rejects.toThrow(/hang up|ECONNRESET/);
      return;
    }
    const answer = await replay;
    expect(answer.status).toBe(response?.status);
    expect(answer.headers["content-type"]).toBe(response?.headers["Content-Type"]);
    expect(answer.headers["content-encoding"]).toBe(response?.headers["Content-Encoding"]);
    expect(answer.headers["retry-after"] === undefined).toBe(response?.headers["Retry-After"] === undefined);
    const { body, expected } = comparable({ recording, answer });
    expect(body).toEqual(expected);
  });
});

function renamed(object: KubeObject, name: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, name, uid: "" } };
}

/** Returns copies that sort after the object by name. */
function copiesOf(object: KubeObject | undefined, count: number): KubeObject[] {
  if (object === undefined) return [];
  return Array.from({ length: count }, (_, i) => renamed(object, `zz-${i}`));
}
