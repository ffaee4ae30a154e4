import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import type { ActingWorld, TestRollout } from "#test/acting-world.ts";

/** Stores the newest state of a rollout with its projection, as the recorder does. */
export async function recordProjection({ owner }: Pick<ActingWorld, "owner">, rollout: TestRollout): Promise<void> {
  await rollout.record();
  const parsed = providerOfKind("Rollout").parse(rollout.read());
  if (!parsed.ok) throw new Error(parsed.reason);
  const object = parsed.value;
  const projection = object.observe({
    summary: object.summarize(nothingRelated),
    toStorable: (text) => text,
    related: nothingRelated,
    writer: null,
    observedAt: new Date().toISOString(),
    isDeleted: false,
    knownPasses: [],
  });
  await owner.query(
    `UPDATE observation SET provider = 'argo', projection = $2, abort_asked = $3
     WHERE id = (SELECT max(id) FROM observation WHERE rollout_id = $1)`,
    [rollout.id, JSON.stringify(projection), rollout.read().status.abort],
  );
}
