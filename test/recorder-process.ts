import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programEnvironment } from "#test/program-environment.ts";

export type RecorderProcess = {
  child: ChildProcess;
  /** Base URL of its probes. */
  url: string;
  configFile: string;
  stdout(): string;
  stderr(): string;
  /** Returns the status of a probe; undefined if nothing answers. */
  probe(path: string): Promise<number | undefined>;
  /** Sums a metric's samples with these labels; undefined if nothing answers. */
  metric(name: string, labels?: Record<string, string>): Promise<number | undefined>;
  /** Ends it if it still lives, in any state. */
  kill(): Promise<void>;
};

export type RecorderProcessOptions = {
  cluster?: string;
  clusterUrl: string;
  clusterToken: string;
  databaseUrl: string;
  port?: number;
  /** Additional settings of the cluster's config. */
  settings?: Record<string, unknown>;
  /** Additional keys of the config. */
  config?: Record<string, unknown>;
  /** Additional variables. */
  env?: Record<string, string>;
};

/** Starts `gatehouse recorder` in a separate process, as a launcher would. It ends when this process dies. */
export async function startRecorderProcess(options: RecorderProcessOptions): Promise<RecorderProcess> {
  const { cluster = "demo", clusterUrl, clusterToken, databaseUrl, settings = {}, config = {}, env = {} } = options;
  const port = options.port ?? (await findFreePort());
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-recorder-process-"));
  const tokenFile = join(directory, "token");
  const configFile = join(directory, "gatehouse.yaml");
  writeFileSync(tokenFile, clusterToken);
  writeFileSync(
    configFile,
    JSON.stringify({
      publicUrl: "http://127.0.0.1:1",
      demo: { accountsFile: "accounts.json" },
      clusters: [{ name: cluster, server: clusterUrl, tokenFile, ...settings }],
      recorder: { port },
      ...config,
    }),
  );
  const child = spawn(process.execPath, [join(import.meta.dirname, "../bin/cli.ts"), "recorder"], {
    env: {
      ...programEnvironment,
      GATEHOUSE_CONFIG: configFile,
      DATABASE_URL: databaseUrl,
      GATEHOUSE_EXIT_ON_STDIN_CLOSE: "1",
      ...env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => {
    text.stdout += String(chunk);
  });
  child.stderr?.on("data", (chunk) => {
    text.stderr += String(chunk);
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    child,
    url,
    configFile,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    probe: (path) =>
      fetch(`${url}${path}`).then(
        (response) => response.status,
        () => undefined,
      ),
    async metric(name, labels = {}) {
      const answer = await fetch(`${url}/metrics`).catch(() => undefined);
      return answer === undefined ? undefined : sumSamples(await answer.text(), name, labels);
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, "exit");
        child.kill("SIGKILL");
        await exit;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns a port of this machine that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Parses the Prometheus text format. */
function sumSamples(text: string, name: string, labels: Record<string, string>): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}
