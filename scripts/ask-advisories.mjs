// Asks OSV about every package of package-lock.json: node scripts/ask-advisories.mjs. Ends with 1 if one has an advisory
// that is high, critical or of unknown severity, and if OSV does not answer: not asked is not clean.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageNameOf } from "./complete-lockfile.mjs";
import { projectRoot } from "./install.mjs";

/** What OSV takes at once (google.github.io/osv.dev/post-v1-querybatch). */
const batchSize = 1000;
const mostPages = 20;
const harmless = new Set(["LOW", "MODERATE", "MEDIUM"]);

/**
 * Returns a line for each advisory that must not be shipped, and how many packages were asked about. Throws if an answer
 * is missing or is not one.
 */
export async function findAdvisories({ lock, api }) {
  const packages = listPackages(lock);
  const found = new Map();
  for (let start = 0; start < packages.length; start += batchSize)
    for (const [id, named] of await askBatch(api, packages.slice(start, start + batchSize)))
      found.set(id, [...(found.get(id) ?? []), ...named]);
  const lines = [];
  for (const [id, named] of found) {
    const advisory = await ask(`${api}/v1/vulns/${encodeURIComponent(id)}`);
    const severity = advisory.database_specific?.severity ?? "of unknown severity";
    if (advisory.withdrawn !== undefined || harmless.has(severity)) continue;
    lines.push(`${id} (${severity}): ${[...new Set(named)].join(", ")}: ${advisory.summary ?? "no summary"}`);
  }
  return { asked: packages.length, lines: lines.toSorted() };
}

/** Each version of each package once, however often it is installed. */
function listPackages({ packages }) {
  const all = Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .map(([path, entry]) => [packageNameOf(path, entry), entry.version]);
  const once = new Map(all.map(([name, version]) => [`${name}@${version}`, { name, version }]));
  return [...once.values()];
}

/** Returns the ids of advisories, each with what they are about. */
async function askBatch(api, packages) {
  const found = [];
  let open = packages.map((each) => ({ each, token: undefined }));
  for (let page = 0; open.length > 0; page += 1) {
    if (page === mostPages) throw new Error(`OSV does not come to an end for ${open[0].each.name}`);
    const queries = open.map(({ each: { name, version }, token }) => ({
      package: { name, ecosystem: "npm" },
      version,
      ...(token === undefined ? {} : { page_token: token }),
    }));
    const { results } = await ask(`${api}/v1/querybatch`, { queries });
    if (!Array.isArray(results) || results.length !== open.length)
      throw new Error(`OSV was asked about ${open.length} packages and answered about ${results?.length ?? "none"}`);
    open = results.flatMap(({ vulns = [], next_page_token: token }, index) => {
      const { each } = open[index];
      for (const { id } of vulns) found.push([id, [`${each.name}@${each.version}`]]);
      return token === undefined || token === "" ? [] : [{ each, token }];
    });
  }
  return found;
}

async function ask(url, body) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(url, {
    ...init,
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].replaceAll("\\", "/"))) {
  const lock = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8"));
  try {
    const { asked, lines } = await findAdvisories({ lock, api: "https://api.osv.dev" });
    for (const line of lines) process.stderr.write(`${line}\n`);
    process.stdout.write(
      `OSV was asked about ${asked} packages: ${lines.length} advisories that are high or unknown\n`,
    );
    if (lines.length > 0) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`gatehouse: OSV could not be asked: ${error.message}\n`);
    process.exitCode = 1;
  }
}
