import { describe, expect, it } from "vitest";
import { createLog } from "./create-log.ts";

const secret = "s3cret-9f2c";

const cases: { name: string; fields: Record<string, unknown>; text: string }[] = [
  { name: "a message", fields: {}, text: `GET https://u:${secret}@api/x failed` },
  { name: "a text", fields: { error: `refused: Bearer ${secret}` }, text: "x" },
  { name: "an error", fields: { err: new Error(`token=${secret}`) }, text: "x" },
  {
    name: "the cause of an error",
    fields: { err: new Error("outer", { cause: new Error(`token=${secret}`) }) },
    text: "x",
  },
  { name: "headers", fields: { request: { headers: { authorization: secret, cookie: secret } } }, text: "x" },
  { name: "a field of that name", fields: { apiToken: secret }, text: "x" },
  { name: "a list", fields: { args: ["--password", secret] }, text: "x" },
];

describe("createLog", () => {
  it.each(cases)("cuts secrets out of $name", ({ fields, text }) => {
    const lines: string[] = [];
    const log = createLog({ level: "info", process: "test" }, { write: (line) => lines.push(line) });
    log.warn(fields, text);
    log.child({ source: "a" }).error({ ...fields, kept: 7 }, text);
    expect(lines).toHaveLength(2);
    expect(lines.join("")).not.toContain(secret);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ process: "test", source: "a", kept: 7 });
  });
});
