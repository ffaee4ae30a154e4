import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { isAnswerTooLargeError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { maxPageBytes } from "#lib/server/clusters/object-api.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { listPages } from "#lib/server/recording/session/list-pages.ts";
import { sampleRollout } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, " "));
const source = sourcesOf({ name: "hostile" }).find(({ kind }) => kind === "Rollout");
if (source === undefined) throw new Error("rollouts are not watched");

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function serve(listener: RequestListener): Promise<{ config: ClusterConfig; client: ClusterClient }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = ClusterConfig.parse({ name: "hostile", server: url });
  const client = createClusterClient(config);
  cleanups.push(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { config, client };
}

const serveBomb: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  response.end(bomb);
};

/** Serves honest pages of these items, and notes how many were asked for at once. */
function servePages(items: readonly object[], asked: number[]): RequestListener {
  return (request, response) => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams;
    const [limit, from] = [Number(query.get("limit")), Number(query.get("continue") ?? 0)];
    asked.push(limit);
    const to = from + limit;
    const metadata = { resourceVersion: "7", ...(to < items.length ? { continue: String(to) } : {}) };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ kind: "RolloutList", metadata, items: items.slice(from, to) }));
  };
}

function itemsOf(count: number, bytes: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: "Rollout",
    metadata: { name: `r-${index}`, namespace: "shop", uid: `u-${index}`, resourceVersion: "5" },
    spec: { text: "x".repeat(bytes) },
  }));
}

async function listAll(client: ClusterClient): Promise<string[]> {
  const uids: string[] = [];
  for await (const page of listPages({
    client,
    source: source as NonNullable<typeof source>,
    signal: new AbortController().signal,
  }))
    uids.push(...page.heads.map(({ uid }) => uid));
  return uids;
}

describe("an answer that is too large", () => {
  it("is cut off as it unpacks, twelve at once", async () => {
    const { client } = await serve(serveBomb);
    let most = 0;
    const before = process.memoryUsage().arrayBuffers;
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 2);
    const asked = Array.from({ length: 12 }, () =>
      client.request({ method: "GET", path: "/", maxBytes: maxPageBytes }),
    );
    const answers = await Promise.allSettled(asked);
    clearInterval(look);
    for (const answer of answers) {
      expect(answer.status).toBe("rejected");
      expect(answer.status === "rejected" && isAnswerTooLargeError(answer.reason)).toBe(true);
    }
    expect(String((answers[0] as PromiseRejectedResult).reason.message)).toBe(
      "cluster hostile: the answer is larger than 16 MiB, the most that Gatehouse reads of one",
    );
    // Whole, they would take 3.6 GB.
    expect(most).toBeLessThan(12 * 2 * maxPageBytes);
  });

  it("is not read to its end, nor is one without an end", async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await serve((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
      };
      response.on("drain", more).on("close", closed.resolve);
      more();
    });
    await expect(client.request({ method: "GET", path: "/" })).rejects.toThrow("larger than 4 MiB");
    await closed.promise;
  });

  it("ends a watch that sends one line without an end", async () => {
    const { client } = await serve((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    });
    const watch = await client.watch({ path: "/" });
    if (!("lines" in watch)) throw new Error("the watch was refused");
    const read = async (): Promise<void> => {
      for await (const line of watch.lines) expect(line).toBe("never");
    };
    await expect(read()).rejects.toThrow("a line of the watch is longer than");
  });

  it("is asked for again in smaller pages, so that nothing is lost", async () => {
    const asked: number[] = [];
    const items = itemsOf(40, 600_000);
    const { client } = await serve(servePages(items, asked));
    expect(await listAll(client)).toEqual(items.map((_, index) => `u-${index}`));
    expect(asked).toEqual([500, 125, 31, 7, 7, 7, 7, 7, 7]);
  });

  it("makes its source unreachable if one object alone is too large", async () => {
    const { client } = await serve(servePages(itemsOf(2, maxPageBytes), []));
    await expect(listAll(client)).rejects.toMatchObject({
      reason: { type: "unreachable", message: expect.stringContaining("larger than 16 MiB") },
    });
  });
});

describe("a cluster whose every answer unpacks to 300 MiB", () => {
  let world: RecorderWorld;
  beforeAll(async () => {
    world = await createRecorderWorld();
  });
  afterAll(() => world.close());

  it("stops no other: its own sources say why they are not reached", async () => {
    const hostile = await serve(serveBomb);
    const sound = world.client();
    cleanups.push(
      () => sound.close(),
      () => world.stopAll(),
    );
    await world.start({
      clusters: [world.config, hostile.config],
      clientOf: (name) => (name === "hostile" ? hostile.client : sound),
      waitUntilLive: false,
    });
    await waitFor("the sound cluster is live and the other says why it is not", async () => {
      const rows = await world.query<{ cluster: string; state: string; last_error: string | null }>(
        "SELECT cluster, state, last_error FROM source",
      );
      const [own, other] = ["test", "hostile"].map((name) => rows.filter(({ cluster }) => cluster === name));
      return (
        own?.length === sourcesOf(world.config).length &&
        own.every(({ state }) => state === "live") &&
        other?.length === own.length &&
        other.every(({ state, last_error }) => state !== "live" && last_error?.includes("larger than") === true)
      );
    });
    world.sandbox.store.importObject("rollouts", sampleRollout({ name: "late" }));
    await waitFor("a change of the sound cluster is recorded", async () => {
      return (await world.query("SELECT FROM rollout WHERE name = 'late'")).length === 1;
    });
  });
});
