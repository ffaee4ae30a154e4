import type { Selectable } from "kysely";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import type { StoredObservation } from "#lib/domain/delivery/provider.ts";
import { readObservation } from "#lib/domain/providers.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";

type ObservationRow = Pick<
  Selectable<Tables["observation"]>,
  "observed_at" | "resource_version" | "writer" | "provider" | "projection"
>;

/** An observation as stored, and in the form common to all providers. */
export type RecordedObservation = StoredObservation & Pick<Observation, "client" | "state">;

/** Reads the columns of an observation. Throws for a projection that its provider cannot read. */
export function toRecorded({ provider, projection, writer, ...row }: ObservationRow): RecordedObservation {
  const stored = {
    observedAt: row.observed_at.toISOString(),
    resourceVersion: row.resource_version,
    writer,
    projection,
  };
  return { ...stored, ...readObservation({ provider, ...stored }) };
}

/** Returns undefined for an observation that cannot be read: it hides no other. */
export function readRecorded(row: ObservationRow): RecordedObservation | undefined {
  try {
    return toRecorded(row);
  } catch {
    return undefined;
  }
}
