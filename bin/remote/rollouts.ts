import { pairImages, shortenImage } from "#lib/client/describe-images.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { RolloutDetail, RolloutSummary } from "#lib/contract/rollout.ts";
import { each } from "#packages/client/src/each.ts";
import type { Query } from "#packages/client/src/send.ts";
import { CommandError } from "../command-line.ts";
import type { RemoteApi } from "./api.ts";

/**
 * Finds the rollout that a person means: by `cluster/namespace/Kind/name`, by `namespace/name`, or by its name alone.
 * Throws a `CommandError` if no rollout matches, or more than one.
 */
export async function findRollout(api: RemoteApi, text: string): Promise<RolloutDetail> {
  const parts = text.split("/");
  const [cluster, namespace, kind, name] = parts;
  if (
    cluster !== undefined &&
    namespace !== undefined &&
    kind !== undefined &&
    name !== undefined &&
    parts.length === 4
  )
    return api.get(rolloutApiPath({ cluster, namespace, kind: kind as RolloutSummary["kind"], name }));
  if (parts.length > 2)
    throw new CommandError(
      `${JSON.stringify(text)} names no rollout: give NAME, NAMESPACE/NAME or CLUSTER/NAMESPACE/KIND/NAME`,
    );
  const wanted = parts.at(-1) ?? "";
  const within = parts.length === 2 ? parts[0] : undefined;
  const found = await readAll<RolloutSummary>(api, "/api/v1/rollouts", { q: wanted, namespace: within });
  const exact = found.filter((rollout) => rollout.name === wanted);
  const [only] = exact;
  if (only === undefined) throw new CommandError(`there is no rollout ${text}, or you may not see it`);
  if (exact.length > 1)
    throw new CommandError(
      `${text} names ${exact.length} rollouts; say which one: ${exact.map(({ id }) => id).join(" ")}`,
    );
  return api.get(rolloutApiPath(only));
}

/** Reads all pages of a list, at most `most` items. */
export async function readAll<Item>(
  api: RemoteApi,
  path: string,
  query: Record<string, string | undefined>,
  most = 10_000,
): Promise<Item[]> {
  const list = (input: { query: Query }): Promise<ListPage<Item>> => api.get(path, input.query);
  const items: Item[] = [];
  for await (const item of each(list, { query: { ...query, limit: Math.min(200, most) } })) {
    items.push(item);
    if (items.length >= most) break;
  }
  return items;
}

/** Names the serving version and the one being rolled out: "v2.8.0 → v2.9.0". */
export function describeVersion({ images }: Pick<RolloutSummary, "images">): string {
  const { next, stable } = pairImages(images);
  return [stable, next].flatMap((image) => (image === undefined ? [] : [shortenImage(image)])).join(" → ") || "unknown";
}

export function describeWeight({ weight }: Pick<RolloutSummary, "weight">): string {
  const percent = weight?.actual ?? weight?.set ?? null;
  return percent === null ? "-" : `${percent} %`;
}

/** Says in a word why a rollout needs attention; "-" if it does not. */
export function describeWait({ attention }: Pick<RolloutSummary, "attention">): string {
  if (attention === null) return "-";
  return attention.reason === "blueGreenPromotion" ? "promotion" : attention.reason;
}
