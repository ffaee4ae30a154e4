import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as rest } from "node:timers/promises";
import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";
import { type RealLine, type RealObject, readRealStream, realStreams } from "./real-streams.ts";
import { waitFor } from "./recorder-world.ts";

type Watcher = { response: ServerResponse; kind: string };
type State = { version: number; objects: Map<string, RealObject>; lines: { version: number; text: string }[] };

/**
 * Starts an API server that replays a real one: lists, watches, and the lines of a recording in order. If the recording
 * starts another list, its watches end with 410, and everything is relisted.
 */
export async function startReplayServer() {
  const states = new Map<string, State>(
    watchedResources.map(({ kind }) => [kind, { version: 1, objects: new Map(), lines: [] }]),
  );
  const watchers = new Set<Watcher>();
  const kindOf = new Map(
    watchedResources.map(({ groupVersion, resource, kind }) => [`/${groupVersion}/${resource}`, kind]),
  );
  let lists = 0;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "", "http://localhost");
    response.setHeader("Content-Type", "application/json");
    const kind = kindOf.get(url.pathname) ?? "";
    const state = states.get(kind);
    if (state === undefined) {
      response.end(JSON.stringify({ kind: "Namespace", metadata: { name: "kube-system", uid: "replayed" } }));
    } else if (url.searchParams.get("watch") === null) {
      lists++;
      const metadata = { resourceVersion: String(state.version) };
      response.end(JSON.stringify({ kind: `${kind}List`, metadata, items: [...state.objects.values()] }));
    } else {
      const from = Number(url.searchParams.get("resourceVersion"));
      response.flushHeaders();
      for (const { version, text } of state.lines) if (version > from) response.write(text);
      const watcher = { response, kind };
      watchers.add(watcher);
      response.on("close", () => watchers.delete(watcher));
    }
  }

  function send({ type, object }: RealLine): void {
    const state = states.get(object.kind);
    if (state === undefined) return;
    const version = Number(object.metadata.resourceVersion);
    const text = `${JSON.stringify({ type, object })}\n`;
    state.version = version;
    state.objects.set(object.metadata.uid, object);
    state.lines.push({ version, text });
    for (const { response, kind } of watchers) if (kind === object.kind) response.write(text);
  }

  /** Ends every watch: as a server does after its timeout, or with 410, after which everything is relisted. */
  async function endWatches({ isExpired }: { isExpired: boolean }): Promise<void> {
    const before = { lists, watchers: watchers.size };
    const ended = [...watchers];
    watchers.clear();
    for (const { response } of ended) {
      const status = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" };
      response.end(isExpired ? `${JSON.stringify({ type: "ERROR", object: status })}\n` : undefined);
    }
    await waitFor("the watches open again", () => {
      const isListed = !isExpired || lists >= before.lists + before.watchers;
      return isListed && watchers.size >= before.watchers;
    });
  }

  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves once all lines are sent; storing them comes later. */
    async play(lines: readonly RealLine[]): Promise<void> {
      let isListing = false;
      for (const [index, line] of lines.entries()) {
        const wasListing = isListing;
        isListing = line.type === "LISTED";
        if (isListing) {
          const state = states.get(line.object.kind);
          const { uid, resourceVersion } = line.object.metadata;
          if (state === undefined) continue;
          state.objects.set(uid, line.object);
          state.version = Math.max(state.version, Number(resourceVersion));
          continue;
        }
        if (wasListing) await endWatches({ isExpired: true });
        // A watch also ends after its timeout; the next one starts where it ended.
        else if (index % 1500 === 1499) await endWatches({ isExpired: false });
        send(line);
        if (index % 20 === 0) await rest();
      }
      if (isListing) await endWatches({ isExpired: true });
    },
    async close(): Promise<void> {
      for (const { response } of watchers) response.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** These came from another API server: its versions begin lower, and no recorder mistakes the two for one cluster. */
const fromElsewhere: readonly string[] = ["outside"];

/** Reads the recordings of one cluster as its history, in order of arrival, without Events. */
export function readWholeHistory(): RealLine[] {
  const streams = realStreams.filter((name) => !fromElsewhere.includes(name));
  const lines = streams.flatMap(readRealStream).filter(({ object }) => object.kind !== "Event");
  const versionOf = ({ object }: RealLine): number => Number(object.metadata.resourceVersion);
  return lines.toSorted((one, other) =>
    one.at < other.at ? -1 : one.at > other.at ? 1 : versionOf(one) - versionOf(other),
  );
}
