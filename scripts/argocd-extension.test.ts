import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list } from "tar";
import { expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { bundleExtension, packExtension } from "./argocd-extension.mjs";

it("is not built above its limit", async () => {
  await expect(bundleExtension({ limitBytes: 1000 })).rejects.toThrow("compressed: at most 1000");
});

it("is packed as the extension installer unpacks it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-extension-"));
  const file = join(folder, "extension.tar.gz");
  await packExtension({ code: "((window) => {})(window);", tree: join(folder, "tree"), file, mtimeSeconds: 0 });
  const paths: string[] = [];
  await list({ file, onReadEntry: ({ path }) => paths.push(path) });
  expect(paths.map((path) => join(path))).toContain("resources/extension-gatehouse.js/extension-gatehouse.js");
  rmSync(folder, { recursive: true });
});
