import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { ConfirmConfigRequest } from "#lib/contract/system.ts";
import { listProductFiles, root } from "./product-regexes.ts";

// A change of the config needs the file: an admin in the browser gains no cluster, channel or role by that.

const reads = [
  ...["access", "closeSync", "constants", "existsSync", "open", "readFile", "readFileSync", "readdir", "readdirSync"],
  ...["realpath", "stat", "statSync", "watch"],
];
/** Files outside the command line that write to a file, and to which. */
const writers: Readonly<Record<string, string>> = {
  "lib/server/audit/publish-checkpoints.ts": "The file of checkpoints that the config names.",
  "lib/server/platform/embedded-postgres/database-directory.ts": "The folder of the embedded database.",
  "lib/server/platform/embedded-postgres/postgres-binaries.ts": "The folder of the embedded database.",
  "lib/server/platform/embedded-postgres/start-embedded-postgres.ts": "The log of the embedded database.",
  "lib/server/platform/telemetry/create-log.ts": "Standard output.",
};

/** Returns the names that a file imports from `node:fs`; `*` for an import of the whole module. */
function listTaken(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const names = [...text.matchAll(/import (?!type)([^;]*?) from "(?:node:)?fs(?:\/promises)?"/g)].flatMap(
    ([, clause = ""]) => (clause.startsWith("{") ? clause.replaceAll(/[{}\s]/g, "").split(",") : ["*"]),
  );
  return /(?:import|require)\("(?:node:)?fs/.test(text) ? [...names, "*"] : names;
}

describe("the config", () => {
  it("is confirmed by a reason and a digest: no request carries one", () => {
    const own = Object.values(endpoints).filter(({ path }) => /^\/api\/v1\/config(\/|$)/.test(path));
    expect(own.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v1/config",
      "POST /api/v1/config/confirm",
    ]);
    expect(Object.keys(ConfirmConfigRequest.shape)).toEqual(["reason", "digest"]);
    expect(ConfirmConfigRequest.safeParse({ reason: "as agreed", clusters: [] }).success).toBe(false);
  });

  it("is written by no part of the web process and of the recorder, which write few files", () => {
    const found = listProductFiles()
      .filter((file) => !/^(?:bin|packages)\//.test(file))
      .filter((file) => listTaken(file).some((name) => !name.startsWith("type") && !reads.includes(name)));
    expect(found).toEqual(Object.keys(writers));
  });
});
