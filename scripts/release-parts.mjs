/** Returns why a commit cannot be released, one sentence each. `changes` is what `git status --porcelain` says. */
export function findObstacles({ version, packageVersion, changelog, changes }) {
  const obstacles = [];
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    return [`${version} is not a version: give three numbers, as in 0.2.0`];
  if (changes !== "")
    obstacles.push(
      `the working tree has changes that no commit has: commit or remove them (${changes.split("\n")[0]})`,
    );
  if (packageVersion !== version)
    obstacles.push(`package.json says ${packageVersion}, not ${version}: set it there, run npm install, and commit`);
  if (!changelog.split("\n").some((line) => line === `## ${version}` || line.startsWith(`## ${version} `)))
    obstacles.push(`CHANGELOG.md has no section "## ${version}": move what is under "## Unreleased" into it`);
  return obstacles;
}

/** Returns an in-toto statement with an SLSA v1 provenance: what was made from which commit, by whom. */
export function describeProvenance({ subjects, commit, repository, lockfileDigest, builder, finishedOn }) {
  const uri = `git+${repository === "" ? "urn:gatehouse:repository" : repository}`;
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(({ name, digest }) => ({ name, digest: { sha256: digest } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:gatehouse:release:v1",
        externalParameters: { source: { uri, digest: { gitCommit: commit } } },
        resolvedDependencies: [
          { uri, digest: { gitCommit: commit } },
          { uri: "package-lock.json", digest: { sha256: lockfileDigest } },
        ],
      },
      runDetails: { builder: { id: builder }, metadata: { invocationId: commit, finishedOn } },
    },
  };
}

/** Returns what a changelog says of a version, without its heading; undefined if it says nothing. */
export function readNotes(changelog, version) {
  const lines = changelog.split("\n");
  const start = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## "));
  const notes = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return notes.join("\n").trim() || undefined;
}

/** Returns the chart's values with this image, REPOSITORY@sha256:DIGEST, in place of the one that everybody builds. */
export function nameImage(values, image) {
  const [, repository, digest] = /^([^@\s]+)@(sha256:[0-9a-f]{64})$/.exec(image) ?? [];
  if (repository === undefined) throw new Error(`${image} is not REPOSITORY@sha256:DIGEST`);
  const named = values
    .replace(/^( {2}# Your registry: .*\n)? {2}repository: gatehouse$/m, `  repository: ${repository}`)
    .replace(/^ {2}digest: ""$/m, `  digest: ${digest}`);
  if (!named.includes(`repository: ${repository}\n`) || !named.includes(`digest: ${digest}\n`))
    throw new Error("deploy/chart/values.yaml has no image to replace");
  return named;
}
