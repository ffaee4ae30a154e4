// Bundles and packs the extension for Argo CD's pages (docs/argo-cd.md).
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { projectRoot } from "./install.mjs";

/** Returns the script. Throws if it is above the limit, compressed. */
export async function bundleExtension({ limitBytes = 60 * 1024 } = {}) {
  // Not installed yet when this file is imported.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    cwd: projectRoot,
    input: "components/argocd/extension.ts",
    platform: "browser",
    external: ["react"],
    // Argo CD brings React 16 and puts it into a global: there is no runtime for the newer form of JSX.
    transform: { jsx: { runtime: "classic" }, target: "es2022", define: { "process.env.GATEHOUSE_BASE_PATH": '""' } },
    onLog: (level, { message }) => {
      throw new Error(`${level}: ${message}`);
    },
  });
  const { output } = await build.generate({
    format: "iife",
    globals: { react: "React" },
    comments: false,
    // Other extensions come before and after it in one file, whose character set is Argo CD's choice.
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: true, asciiOnly: true } },
  });
  await build.close();
  const [{ code }] = output;
  const { length } = gzipSync(code);
  if (length > limitBytes)
    throw new Error(`the extension for Argo CD has ${length} bytes, compressed: at most ${limitBytes}`);
  return code;
}

/** Packs the script for Argo CD's extension installer, which finds the folder of its settings by this name. */
export async function packExtension({ code, tree, file, mtimeSeconds }) {
  const folder = join(tree, "extension-gatehouse.js");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "extension-gatehouse.js"), code);
  const { writeTarball } = await import("./tarball.mjs");
  await writeTarball({ tree, file, prefix: "resources", mtimeSeconds });
}
