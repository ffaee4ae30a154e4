type Stored = { spec?: { targetRef?: { kind?: unknown } | null } | null; status?: Record<string, unknown> | null };

/**
 * Returns a stored Canary without `status.lastTransitionTime`, which Flagger sets at every check, also of a canary that
 * waits (`SetStatusPhase` and others in pkg/canary/status.go of flagger 1.44.0): in recordings of real controllers it is
 * all that differs in most versions. Only the deadline of a DaemonSet is counted from it.
 */
export function withoutTicks(stored: unknown): unknown {
  const { spec, status } = stored as Stored;
  if (spec?.targetRef?.kind === "DaemonSet" || typeof status !== "object" || status === null) return stored;
  const { lastTransitionTime: _, ...kept } = status;
  return { ...(stored as Stored), status: kept };
}
