import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const copied = ["package.json", "LICENSE", "NOTICE", "sbom.cdx.json"];

/**
 * Packs the commands of a production tree as a plugin of kubectl, and writes krew's manifest of it. The release's own
 * tarball would not do: krew takes neither links nor names that contain "..". `download`: the folder that the files will
 * be published in. Returns the names of both files.
 */
export async function writePlugin({ tree, out, version, mtimeSeconds, download }) {
  const name = `kubectl-gatehouse-${version}`;
  const staged = join(out, "plugin");
  rmSync(staged, { recursive: true, force: true });
  cpSync(join(tree, "bin"), join(staged, "bin"), { recursive: true, filter: (path) => !path.endsWith(".map") });
  for (const path of copied.filter((each) => existsSync(join(tree, each))))
    cpSync(join(tree, path), join(staged, path));
  copyLicences({ tree, staged });
  const { writeTarball } = await import("./tarball.mjs");
  const archive = `${name}.tar.gz`;
  await writeTarball({ tree: staged, file: join(out, archive), prefix: name, mtimeSeconds });
  rmSync(staged, { recursive: true });
  const sha256 = createHash("sha256")
    .update(readFileSync(join(out, archive)))
    .digest("hex");
  const { stringify } = await import("yaml");
  const manifest = `gatehouse-${version}.krew.yaml`;
  writeFileSync(join(out, manifest), stringify(describePlugin({ version, sha256, uri: `${download}/${archive}` })));
  return [archive, manifest];
}

/** Copies the licences of the packages that are in the bundle. */
function copyLicences({ tree, staged }) {
  const { packages = [] } = JSON.parse(readFileSync(join(tree, "gatehouse-package.json"), "utf8"));
  for (const { path } of packages)
    for (const file of readdirSync(join(tree, path)))
      if (/^(licen[cs]e|notice|copying)/i.test(file)) {
        const target = join(staged, path.replace(/^node_modules/, "licences"), file);
        mkdirSync(dirname(target), { recursive: true });
        cpSync(join(tree, path, file), target, { recursive: true });
      }
}

/** Returns krew's manifest. Its plugin has no file for Windows: krew starts only .exe files there. */
export function describePlugin({ version, sha256, uri }) {
  const homepage = /^(https:\/\/.+)\/releases\/download\//.exec(uri)?.[1];
  return {
    apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
    kind: "Plugin",
    metadata: { name: "gatehouse" },
    spec: {
      version: `v${version}`,
      ...(homepage === undefined ? {} : { homepage }),
      shortDescription: "Decide on rollouts that wait for a person",
      description:
        "Shows which Argo Rollouts and Flagger canaries wait for a person, why, and with which measurements, and acts on them through a running Gatehouse, with its guards and its audit log.\n",
      caveats: "Needs Node.js 22.19 or newer as node in the PATH.\nSign in first: kubectl gatehouse login URL\n",
      platforms: [
        {
          selector: { matchExpressions: [{ key: "os", operator: "In", values: ["darwin", "linux"] }] },
          ...{ uri, sha256 },
          files: [{ from: `kubectl-gatehouse-${version}/*`, to: "." }],
          bin: "bin/cli.mjs",
        },
      ],
    },
  };
}
