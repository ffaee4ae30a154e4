// Writes deploy/kustomize from the chart's templates: node scripts/kustomize.mjs [HELM]. A test compares the digest.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments, stringify } from "yaml";

const root = join(import.meta.dirname, "..");
const chart = join(root, "deploy/chart");
const folder = join(root, "deploy/kustomize");
/** The config that the base is rendered with; an overlay brings its own. */
const values = join(folder, "values.yaml");

/** Digest of all that the rendered objects are made of. */
export function digestOfChart() {
  const hash = createHash("sha256");
  const files = readdirSync(chart, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(yaml|tpl|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const file of [...files, values]) hash.update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/** Renders the objects of an installation without what belongs to Helm alone. */
export function renderObjects(helm) {
  const args = ["template", "gatehouse", chart, "-n", "gatehouse", "--kube-version", "1.31.0", "-f", values];
  const { status, stdout, stderr, error } = spawnSync(helm, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`helm template: ${error?.message ?? stderr}`);
  return parseAllDocuments(stdout)
    .map((document) => document.toJSON())
    .filter((object) => object !== null && object.metadata.annotations?.["helm.sh/hook"] !== "test")
    .map(withoutHelm);
}

/** Returns the files of deploy/kustomize by path, as text. */
export function listFiles(objects) {
  const config = objects.find(({ kind }) => kind === "ConfigMap").data["gatehouse.yaml"];
  const isOfMigration = ({ metadata }) => metadata.name === "gatehouse-migrate";
  const isWritten = ({ kind }) => kind !== "ConfigMap";
  const head = `# Made by scripts/kustomize.mjs from deploy/chart: change that. ${digestOfChart()}\n`;
  const write = (wanted) => head + wanted.map((object) => stringify(object, { lineWidth: 0 })).join("---\n");
  return {
    "base/resources.yaml": write(objects.filter((object) => isWritten(object) && !isOfMigration(object))),
    "base/gatehouse.yaml": stringify(parse(config)),
    "migrate/resources.yaml": write(objects.filter(isOfMigration)),
  };
}

function withoutHelm(value) {
  if (Array.isArray(value)) return value.map(withoutHelm);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, member]) =>
      !key.startsWith("helm.sh/") &&
      !(key === "app.kubernetes.io/managed-by" && member === "Helm") &&
      !(key === "annotations" && Object.keys(member).every((name) => name.startsWith("helm.sh/"))),
  );
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutHelm(member)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(listFiles(renderObjects(process.argv[2] ?? "helm")))) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
