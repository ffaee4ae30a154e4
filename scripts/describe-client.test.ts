import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { endpoints } from "../lib/contract/endpoint-table.ts";
import { clientFile, describeClient } from "./describe-client.ts";

const text = describeClient();

it("has written the file that is stored: else run npm run generate:client", () => {
  expect(readFileSync(join(import.meta.dirname, "..", clientFile), "utf8") === text).toBe(true);
});

it("writes every operation with its route", () => {
  for (const [name, { method, path }] of Object.entries(endpoints))
    expect(text).toContain(`  ${name}: ${JSON.stringify(`${method} ${path}`)},\n`);
});

it("writes what an operation takes and answers by the names of the document", () => {
  const [operation = ""] = /\n {2}actOnRollout: \{[\s\S]*?\n {2}\};/.exec(text) ?? [];
  expect(operation).toContain("body: RolloutActionRequest;\n");
  expect(operation).toContain("answer: ActionAccepted | ScheduledAction;\n");
  expect(operation).toContain('"Idempotency-Key"?: string | undefined;\n');
  expect(operation).toContain("    path: RolloutPath;\n");
});

it("answers with the response itself if it is no JSON alone", () => {
  for (const name of ["stream", "exportAudit", "exportRun", "streamRolloutLogLines"])
    expect(text).toMatch(new RegExp(`\\n {2}${name}: \\{[^;]*?(?:;[^;]*?)*?answer: Response;\\n {2}\\};`));
  expect(text).toContain('  stream: "text/event-stream",\n');
});
