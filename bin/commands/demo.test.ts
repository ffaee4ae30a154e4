import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import { openDataDirectory } from "../launcher/data-directory.ts";
import { writeDemoConfig } from "../launcher/demo-files.ts";
import { runDemo } from "./demo.ts";

it.each([["--host", "0.0.0.0"], ["--host=::"], ["-H", "0.0.0.0"]])("takes no other address: %s %s", async (...args) => {
  await expect(runDemo(args)).rejects.toThrow(/Unknown option/);
});

it("keeps its recorder to this machine", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-demo-"));
  const data = await openDataDirectory(folder);
  try {
    const url = "http://127.0.0.1:7460";
    const files = { tokenFile: join(folder, "token"), adminTokenFile: join(folder, "admin") };
    const ports = { metricsPort: 7461, recorderPort: 7462 };
    const file = writeDemoConfig(data, { url, server: url, faults: false, hasStory: false, ...files, ...ports });
    expect(Config.parse(parse(readFileSync(file, "utf8"))).recorder).toEqual({ host: "127.0.0.1", port: 7462 });
  } finally {
    data.release();
    rmSync(folder, { recursive: true });
  }
});
