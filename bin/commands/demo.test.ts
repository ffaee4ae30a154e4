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

it("keeps its recorder to this machine, and sends its messages to its own sandbox", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-demo-"));
  const data = await openDataDirectory(folder);
  try {
    const url = "http://127.0.0.1:7460";
    const files = { tokenFile: join(folder, "token"), adminTokenFile: join(folder, "admin") };
    const ports = { metricsPort: 7461, recorderPort: 7462 };
    const file = writeDemoConfig(data, { url, server: url, faults: false, hasStory: true, ...files, ...ports });
    const { recorder, notifications } = Config.parse(parse(readFileSync(file, "utf8")));
    expect(recorder).toEqual({ host: "127.0.0.1", port: 7462 });
    expect(notifications.channels).toMatchObject([{ type: "webhook", url: "http://127.0.0.1:7461/messages" }]);
    expect(notifications.routes).toMatchObject([{ to: ["releases"] }]);
  } finally {
    data.release();
    rmSync(folder, { recursive: true });
  }
});
