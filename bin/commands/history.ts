import { shortenImage } from "#lib/client/describe-images.ts";
import { numberRelease } from "#lib/client/record-names.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { Release } from "#lib/contract/rollout.ts";
import { parseInteger, parseWords } from "../command-line.ts";
import { withApi } from "../remote/api.ts";
import { formatAge, formatAnswer, formatTable, parseOutput } from "../remote/format.ts";
import { findRollout, readAll } from "../remote/rollouts.ts";

const heads = ["REVISION", "VERSION", "OUTCOME", "STARTED", "TOOK", "WHO", "WHY"];

/** Runs `gatehouse history`: the releases of a rollout, the newest first. */
export async function runHistory(args: string[]): Promise<number> {
  const { words, flags } = parseWords(args, ["NAME"], {
    limit: { type: "string" },
    output: { type: "string", short: "o" },
  });
  const output = parseOutput(flags.output);
  const limit = parseInteger({ flag: "--limit", text: flags.limit, fallback: 20, min: 1, max: 10_000 });
  return withApi(async (api) => {
    const rollout = await findRollout(api, words[0]);
    const releases = await readAll<Release>(api, `${rolloutApiPath(rollout)}/releases`, {}, limit);
    process.stdout.write(output === "table" ? formatReleases(releases) : formatAnswer(releases, output));
    return 0;
  });
}

function formatReleases(releases: readonly Release[]): string {
  if (releases.length === 0) return "no releases recorded\n";
  return formatTable(heads, releases.map(rowOf));
}

function rowOf(release: Release): string[] {
  const { images, state, startedAt, endedAt, acts, message } = release;
  return [
    numberRelease(release),
    images.map(shortenImage).join(", ") || "unknown",
    state,
    startedAt,
    endedAt === null ? "not ended" : formatAge(startedAt, Date.parse(endedAt)),
    acts.latest.map(({ actor, action }) => `${actor.name}: ${action}`).join(", ") || "-",
    message || "-",
  ];
}
