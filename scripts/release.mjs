// Makes a release of the commit that is checked out: a tarball of the production tree with its bill of materials, the
// extension for Argo CD, sums, and a statement of their origin.
// node scripts/release.mjs [--version V] [--out FOLDER] (default .gatehouse/release)
// [--download URL], where it will be published: also makes the plugin of kubectl, whose manifest has that address.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packExtension } from "./argocd-extension.mjs";
import { nodeForTypeScript, projectRoot } from "./install.mjs";
import { writePlugin } from "./krew.mjs";
import { describeProvenance, findObstacles } from "./release-parts.mjs";

const { values } = parseArgs({
  options: {
    version: { type: "string" },
    out: { type: "string", default: ".gatehouse/release" },
    download: { type: "string" },
  },
});
const manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
const version = values.version ?? manifest.version;
try {
  const obstacles = findObstacles({
    version,
    packageVersion: manifest.version,
    changelog: readFileSync(join(projectRoot, "CHANGELOG.md"), "utf8"),
    changes: output("git", ["status", "--porcelain"]),
  });
  if (obstacles.length > 0) throw new Error(obstacles.join("\ngatehouse: "));
  await makeRelease(resolve(values.out));
} catch (error) {
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}

async function makeRelease(out) {
  const commit = output("git", ["rev-parse", "HEAD"]);
  const committedAt = Number(output("git", ["show", "-s", "--format=%ct", "HEAD"]));
  mkdirSync(out, { recursive: true });
  const tree = join(out, "tree");
  script("package.mjs", ["--out", tree]);
  script("sbom.mjs", [join(tree, "sbom.cdx.json")]);
  const file = `gatehouse-${version}.tar.gz`;
  if (existsSync(join(out, file))) throw new Error(`${file} exists in ${out}: a release is made once`);
  // Needs a package, which an earlier step installs in a new clone.
  const { writeTarball } = await import("./tarball.mjs");
  await writeTarball({ tree, file: join(out, file), prefix: `gatehouse-${version}`, mtimeSeconds: committedAt });
  const extension = `gatehouse-argocd-extension-${version}.tar.gz`;
  await packExtension({
    code: readFileSync(join(tree, "public/extensions/gatehouse.js")),
    tree: join(out, "extension"),
    file: join(out, extension),
    mtimeSeconds: committedAt,
  });
  const { download } = values;
  const plugin =
    download === undefined ? [] : await writePlugin({ tree, out, version, mtimeSeconds: committedAt, download });
  const subjects = [file, extension, ...plugin].map((name) => ({ name, digest: sha256(join(out, name)) }));
  const statement = describeProvenance({
    subjects,
    commit,
    repository: remote(),
    lockfileDigest: sha256(join(projectRoot, "package-lock.json")),
    builder: process.env.GATEHOUSE_RELEASE_BUILDER ?? "urn:gatehouse:release:local",
    finishedOn: new Date().toISOString(),
  });
  const provenance = `gatehouse-${version}.provenance.json`;
  writeFileSync(join(out, provenance), `${JSON.stringify(statement, null, 2)}\n`);
  const sums = [...subjects, { name: provenance, digest: sha256(join(out, provenance)) }];
  writeFileSync(join(out, "SHA256SUMS"), sums.map(({ name, digest }) => `${digest}  ${name}\n`).join(""));
  process.stdout.write(
    `${subjects.map(({ name, digest }) => `${join(out, name)}\nsha256 ${digest}\n`).join("")}Next: read SHA256SUMS and ${provenance}, sign them, tag the commit (git tag -s v${version} ${commit.slice(0, 12)}), publish all files, and raise servedFrom (lib/server/platform/db/migrate/releases.ts)\n`,
  );
}

function script(name, args) {
  const path = join(projectRoot, "scripts", name);
  const { status } = spawnSync(nodeForTypeScript(), [path, ...args], { cwd: projectRoot, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`scripts/${name} failed`);
}

function output(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: projectRoot, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
}

/** Where the commit is published; without credentials, which an address may hold. */
function remote() {
  const { stdout } = spawnSync("git", ["remote", "get-url", "origin"], { cwd: projectRoot, encoding: "utf8" });
  return stdout.trim().replace(/\/\/[^@/]*@/, "//");
}

function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
