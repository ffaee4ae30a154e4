import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ensureDemoRows } from "#demo/ensure-demo-rows.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { createTokenSecret } from "#lib/server/people/auth/token-secret.ts";
import { mallocSettings, nodeFlags } from "../../bin/launcher/node-flags.ts";
import { endChild } from "./start-helper.ts";

export type WebProcess = {
  pid: number;
  port: number;
  /** Path of the stream. */
  path: string;
  token: string;
  /** Counts streams that were cut because their reader fell behind. */
  countCuts(): Promise<number>;
  /** Reads the longest delay of its event loop since the last call, in milliseconds. */
  readLoopDelay(): Promise<number>;
};

export type Gatehouse = {
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Starts the real recorder process. Resolves with its pid once the process runs. */
  startRecorder(): { pid: number; readLoopDelay: WebProcess["readLoopDelay"] };
  /** Resolves once all sources of the cluster are live; rejects after `withinMs`. */
  untilLive(withinMs: number): Promise<void>;
  /** Starts the stream's route in a separate process: behind the built application (`next`), or by itself. */
  startWeb(options: { next: boolean }): Promise<WebProcess>;
  close(): Promise<void>;
};

type Options = {
  /** `readUrl`: a standby of this database, for the web process. */
  database: { ownerUrl: string; recorderUrl: string; webUrl: string; readUrl?: string };
  cluster: { url: string; token: string };
  /** Further clusters, by name. */
  others?: Record<string, { url: string; token: string }>;
  /** Further settings of the config. */
  config?: Record<string, unknown>;
};

const root = join(import.meta.dirname, "../..");

/** Starts Gatehouse's own processes on an existing database and cluster. */
export async function startGatehouse({ database, cluster, others = {}, config = {} }: Options): Promise<Gatehouse> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  owner.on("error", () => {});
  const children: ChildProcess[] = [];
  let isClosing = false;
  /** Set if a process ended by itself. */
  let broken: Error | undefined;
  const files = { config: join(directory, "gatehouse.yaml"), accounts: join(directory, "accounts.json") };
  const [recorderPort, webPort] = [await freePort(), await freePort()];
  const account = (name: string) => ({ username: name, password: `${name}-password` });
  const accounts = { viewer: account("viewer"), operator: account("operator"), admin: account("admin") };
  const tokens = { viewer: createTokenSecret(), operator: createTokenSecret(), admin: createTokenSecret() };
  const query: Gatehouse["query"] = async (sql, values) => {
    if (broken !== undefined) throw broken;
    return (await owner.query(sql, values)).rows as never;
  };
  writeFileSync(files.accounts, JSON.stringify(accounts));
  const clusters = Object.entries({ bench: cluster, ...others }).map(([name, { url, token }]) => {
    const tokenFile = join(directory, `token-${name}`);
    writeFileSync(tokenFile, token);
    return { name, server: url, tokenFile };
  });
  writeFileSync(
    files.config,
    JSON.stringify({
      publicUrl: `http://127.0.0.1:${webPort}`,
      demo: { accountsFile: files.accounts },
      clusters,
      recorder: { port: recorderPort },
      ...config,
    }),
  );

  function start(args: string[], databaseUrl: string): { pid: number } {
    const child = spawn(process.execPath, [...nodeFlags, ...args], {
      cwd: root,
      env: {
        ...mallocSettings,
        NODE_ENV: "production",
        PATH: process.env.PATH,
        GATEHOUSE_CONFIG: files.config,
        GATEHOUSE_SECRET: "bench-secret-bench-secret-bench-secret",
        GATEHOUSE_LOG_LEVEL: process.env.BENCH_LOG_LEVEL ?? "error",
        GATEHOUSE_EXIT_ON_STDIN_CLOSE: "1",
        DATABASE_URL: databaseUrl,
        ...(database.readUrl === undefined ? {} : { DATABASE_READ_URL: database.readUrl }),
      },
      // The pipe closes when the bench ends, even by a signal, and the process stops.
      stdio: ["pipe", process.env.BENCH_LOG_LEVEL === undefined ? "ignore" : 2, "inherit"],
    });
    children.push(child);
    child.once("exit", (code, signal) => {
      if (!isClosing) broken = new Error(`${args.join(" ")} ended by itself: ${signal ?? `exit status ${code}`}`);
    });
    if (child.pid === undefined) throw new Error(`${args[0]} does not start`);
    return { pid: child.pid };
  }

  return {
    query,
    startRecorder: () => ({
      ...start(["bin/gatehouse.mjs", "recorder"], database.recorderUrl),
      readLoopDelay: async () => loopDelayIn(await readText(`http://127.0.0.1:${recorderPort}/metrics`)),
    }),
    untilLive: (withinMs) =>
      waitUntil({
        what: "the recorder's sources are live",
        withinMs,
        check: async () => {
          const rows = await query<{ state: string }>("SELECT state FROM source WHERE cluster = 'bench'");
          return rows.length === sourcesOf({ name: "bench" }).length && rows.every(({ state }) => state === "live");
        },
      }),
    async startWeb({ next }) {
      await ensureDemoRows(database.ownerUrl, { accounts, tokens, credentials: [] });
      const path = "/api/v1/stream";
      const { pid } = next
        ? start(["bin/gatehouse.mjs", "web", "--port", String(webPort)], database.webUrl)
        : start(["--conditions=react-server", "bench/support/serve-stream.ts", String(webPort)], database.webUrl);
      await waitUntil({
        what: "the web process answers",
        withinMs: 60_000,
        check: () =>
          fetch(`http://127.0.0.1:${webPort}${path}`).then(
            (response) => response.status === 401,
            () => false,
          ),
      });
      const readMetrics = () => readText(`http://127.0.0.1:${webPort}/metrics`, tokens.viewer);
      const countCuts = async (): Promise<number> =>
        Number(/^gatehouse_sse_slow_clients_cut_total (\d+)/m.exec(await readMetrics())?.[1] ?? Number.NaN);
      const readLoopDelay = async (): Promise<number> => loopDelayIn(await readMetrics());
      return { pid, port: webPort, token: tokens.viewer, path, countCuts, readLoopDelay };
    },
    async close() {
      isClosing = true;
      await Promise.all(children.map(endChild));
      await owner.end();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function readText(url: string, token?: string): Promise<string> {
  const answer = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  return answer.text();
}

/** Returns the milliseconds until the whole answer was read. */
export async function timeRequest(url: string, token: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await answer.text();
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`);
  return performance.now() - startedAt;
}

/** Reads Node's own metric; each read of the metrics resets it. */
function loopDelayIn(metrics: string): number {
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1] ?? Number.NaN) * 1000;
}

export async function waitUntil(options: {
  what: string;
  withinMs: number;
  check: () => Promise<boolean>;
}): Promise<void> {
  const { what, withinMs, check } = options;
  const until = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`waited ${Math.round(withinMs / 1000)} s in vain until ${what}`);
    await sleep(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
