import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { programEnvironment } from "#test/program-environment.ts";

const entry = join(import.meta.dirname, "../gatehouse.mjs");
const message = "waits:\n---\nfor a person";

type Shown = { id: string; phase: string; message: string };
let rollouts: Shown[];
let streams: ServerResponse[];
let server: Server;
let child: ChildProcess | undefined;

beforeEach(async () => {
  rollouts = [
    { id: "demo/payments/Rollout/checkout", phase: "Paused", message },
    { id: "demo/payments/Rollout/cart", phase: "Healthy", message: "" },
  ];
  streams = [];
  server = createServer(({ url = "" }, response) => {
    if (url === "/api/v1/stream") streams.push(response.writeHead(200, { "content-type": "text/event-stream" }));
    else response.end(JSON.stringify({ items: rollouts, nextCursor: null }));
    response.flushHeaders();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  child?.kill("SIGKILL");
  server.closeAllConnections();
  server.close();
});

function tellOf(id: string): void {
  for (const stream of streams)
    stream.write(`event: change\ndata: ${JSON.stringify({ kind: "rollout", id, op: "upsert" })}\n\n`);
}

it.each([
  { output: "yaml", parse: (text: string) => parseAllDocuments(text).map((document) => document.toJS()) },
  {
    output: "json",
    parse: (text: string) => text.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line))),
  },
])("a watch in $output prints all once, then each that changes, until it is interrupted", async ({ output, parse }) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  child = spawn(process.execPath, [entry, "rollouts", "watch", "-o", output], {
    env: { ...programEnvironment, GATEHOUSE_URL: url, GATEHOUSE_TOKEN: "t" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
  });
  await expect.poll(() => parse(text)).toEqual(rollouts);
  const before = [...rollouts];
  rollouts = rollouts.map((rollout) => (rollout.phase === "Paused" ? { ...rollout, phase: "Progressing" } : rollout));
  await expect.poll(() => streams.length).toBe(1);
  tellOf("demo/payments/Rollout/checkout");
  await expect
    .poll(() => parse(text))
    .toEqual([...before, { id: "demo/payments/Rollout/checkout", phase: "Progressing", message }]);
  const ended = once(child, "exit");
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
});
