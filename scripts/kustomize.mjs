// Writes the chart's rules from deploy/rbac-*.yaml, and deploy/kustomize from the chart's templates:
// node scripts/kustomize.mjs [HELM]. Tests compare the rules and the digest.
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

/** The chart has these ClusterRoles as files of their own. */
const roles = ["read", "hold", "events", "review"];

/** Returns the files of deploy/chart that repeat a role of deploy, by path, as text. */
function listRuleFiles() {
  return Object.fromEntries(
    roles.map((role) => {
      const source = `deploy/rbac-${role}.yaml`;
      const objects = parseAllDocuments(readFileSync(join(root, source), "utf8")).map((document) => document.toJSON());
      const found = objects.find(
        (object) => object?.kind === "ClusterRole" && object.metadata.name === `gatehouse-${role}`,
      );
      if (found === undefined) throw new Error(`${source} has no ClusterRole gatehouse-${role}`);
      const head = `# Made by scripts/kustomize.mjs from the rules of ${source}: change that.\n`;
      return [`files/${role}-rules.yaml`, head + stringify(found.rules, { lineWidth: 0 })];
    }),
  );
}

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
  if (error?.code === "ENOENT")
    throw new Error(`${helm} was not found: install helm 3, or name it: node scripts/kustomize.mjs PATH-TO-HELM`);
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
  for (const [path, text] of Object.entries(listRuleFiles())) writeFileSync(join(chart, path), text);
  for (const [path, text] of Object.entries(listFiles(renderObjects(process.argv[2] ?? "helm")))) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
