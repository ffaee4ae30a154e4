import { Counter, Gauge, Registry } from "@prometheus-io/client";
import { createConfigMetrics } from "#lib/server/platform/telemetry/config-metrics.ts";

const source = ["cluster", "kind", "namespace"] as const;

export type RecorderMetrics = ReturnType<typeof createRecorderMetrics>;

/** Creates the metrics: counts and times only. The probes report whether the recorder is well. */
export function createRecorderMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  return {
    registry,
    config: createConfigMetrics(registry),
    checkpointFailures: counter(
      "gatehouse_audit_checkpoint_failures_total",
      "Checkpoints of the audit chain that a place of the config did not take.",
      [],
    ),
    auditStreamLag: gauge(
      "gatehouse_audit_stream_lag_seconds",
      "For how long the oldest entry of the audit log that the stream's receiver lacks has waited; 0 if it lacks none.",
      ["stream"],
    ),
    auditStreamFailures: counter(
      "gatehouse_audit_stream_failures_total",
      "Tries to send entries of the audit log that the stream's receiver did not take.",
      ["stream"],
    ),
    decisionEvents: counter(
      "gatehouse_decision_events_total",
      "Events on rollouts about decisions: created, or failed and given up.",
      ["cluster", "outcome"],
    ),
    retentionRows: counter("gatehouse_retention_rows_total", "Rows deleted because of their age.", ["table"]),
    objectsLoaded: gauge("gatehouse_objects_loaded", "Objects of the last accepted list, and since.", source),
    lastSuccess: gauge(
      "gatehouse_source_last_success_timestamp_seconds",
      "The older of the watch's last sign of life and the last quorum read.",
      source,
    ),
    watchRestarts: counter("gatehouse_watch_restarts_total", "Watches that ended, by reason.", [...source, "reason"]),
    badObjects: counter("gatehouse_watch_bad_objects_total", "Lines and objects that were not understood.", source),
    listsIncomplete: counter("gatehouse_list_incomplete_total", "Paged lists that broke off.", source),
    denied: counter("gatehouse_source_denied_total", "Answers 401 and 403 to lists, watches and reads.", source),
    snapshotsHeld: counter("gatehouse_snapshot_held_total", "Implausible disappearances held.", [...source, "reason"]),
    markedAbsent: counter(
      "gatehouse_objects_marked_absent_total",
      "Objects that disappeared unseen, by their new presence.",
      [...source, "presence"],
    ),
    identityMismatches: counter(
      "gatehouse_source_identity_mismatch_total",
      "Another cluster answered, or versions went backwards.",
      source,
    ),
    clockSkew: gauge("gatehouse_clock_skew_seconds", "The API server's clock ahead of ours.", ["source"]),
    runsRecorded: counter("gatehouse_runs_recorded_total", "Analysis runs recorded to their end.", ["result"]),
    quarantined: counter("gatehouse_corrupt_records_total", "Objects put into quarantine.", ["table"]),
    databaseErrors: counter("gatehouse_db_errors_total", "Times that the database did not answer as it should.", []),
    unknownValues: counter("gatehouse_unknown_values_total", "Objects with a word that has no meaning here.", [
      "field",
    ]),
    bufferDepth: gauge("gatehouse_buffer_depth", "Objects received and not yet stored.", source),
    bufferBytes: gauge("gatehouse_buffer_bytes", "Their size, as the cluster sent them.", source),
    bufferDropped: counter(
      "gatehouse_buffer_dropped_total",
      "Objects received but not stored by this recorder: the next holder of the source reads them again.",
      source,
    ),
    bufferFull: counter(
      "gatehouse_buffer_full_total",
      "Times that a full buffer held the cluster's watch back.",
      source,
    ),
    notifications: counter(
      "gatehouse_notifications_total",
      "Tries to send a message, by the channel's type: sent, retried (failed, will be tried again), failed (given up), suppressed.",
      ["channel_type", "outcome"],
    ),
    notificationAge: gauge(
      "gatehouse_notification_queue_age_seconds",
      "Age of the oldest event or message that is not sent yet; 0 without any. Quiet hours count.",
      [],
    ),
    auditFileGaps: counter(
      "gatehouse_kubernetes_audit_file_gaps_total",
      "Times that an API server's audit log was truncated without a copy: events may be missing.",
      ["cluster"],
    ),
    leader: gauge("gatehouse_leader", "1 where this recorder holds the source's lease.", source),
    leaseTransitions: counter("gatehouse_leader_transitions_total", "Leases won and lost.", [...source, "to"]),
    loopLastTurn: gauge("gatehouse_loop_last_turn_timestamp_seconds", "When each loop last turned.", ["loop"]),
  };
}

/** Identifies a source. */
export type SourceLabels = { cluster: string; kind: string; namespace: string };

export function sourceLabels(key: SourceLabels): SourceLabels {
  const { cluster, kind, namespace } = key;
  return { cluster, kind, namespace };
}
