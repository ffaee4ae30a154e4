// Writes the chart of a release, which names the release's own image by its digest.
// node scripts/chart-release.mjs --version V --image REPOSITORY@sha256:DIGEST --out FOLDER
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { nameImage } from "./release-parts.mjs";

const { values } = parseArgs({
  options: { version: { type: "string" }, image: { type: "string" }, out: { type: "string" } },
});
const { version, image = "", out } = values;
const chart = join(import.meta.dirname, "../deploy/chart");
try {
  if (version === undefined || out === undefined) throw new Error("--version and --out are missing");
  const own = parse(readFileSync(join(chart, "Chart.yaml"), "utf8"));
  if (own.version !== version || own.appVersion !== version)
    throw new Error(`deploy/chart/Chart.yaml says ${own.version} and ${own.appVersion}, not ${version}`);
  const folder = join(resolve(out), "gatehouse");
  cpSync(chart, folder, { recursive: true });
  const file = join(folder, "values.yaml");
  writeFileSync(file, nameImage(readFileSync(file, "utf8"), image));
} catch (error) {
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}
