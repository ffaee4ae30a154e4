import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "@prometheus-io/client";
import { type ConfigMetrics, createConfigMetrics } from "#lib/server/platform/telemetry/config-metrics.ts";

export type WebMetrics = {
  registry: Registry;
  requests: Counter<"endpoint" | "method" | "status">;
  latency: Histogram<"endpoint" | "method">;
  databaseErrors: Counter;
  replicaReads: Counter<"answer">;
  replicaLag: Gauge;
  replicaInUse: Gauge;
  corruptRecords: Counter<"table">;
  streamClients: Gauge;
  loopLastTurn: Gauge<"loop">;
  streamCuts: Counter;
  signIns: Counter<"outcome">;
  actions: Counter<"kind" | "outcome">;
  actionsRefused: Counter<"reason">;
  gateRequests: Counter<"type" | "decision" | "reason">;
  auditDeliveries: Counter<"cluster" | "reason">;
  auditEvents: Counter<"cluster" | "result">;
  config: ConfigMetrics;
};

/** Creates the metrics of the web process. Other parts add theirs to the same registry. */
export function createWebMetrics({ withProcess = true }: { withProcess?: boolean } = {}): WebMetrics {
  const registry = new Registry();
  if (withProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    config: createConfigMetrics(registry),
    requests: new Counter({
      name: "gatehouse_http_requests_total",
      help: "Answered API requests.",
      labelNames: ["endpoint", "method", "status"],
      registers,
    }),
    latency: new Histogram({
      name: "gatehouse_http_request_duration_seconds",
      help: "Time to answer an API request.",
      labelNames: ["endpoint", "method"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    databaseErrors: new Counter({
      name: "gatehouse_db_errors_total",
      help: "Times that the database could not be reached.",
      registers,
    }),
    replicaReads: new Counter({
      name: "gatehouse_replica_reads_total",
      help: "Requests that the read replica may answer: `replica`, or why the primary did.",
      labelNames: ["answer"],
      registers,
    }),
    replicaLag: new Gauge({
      name: "gatehouse_replica_lag_seconds",
      help: "How old the data of the read replica may be; NaN if it is not known, or if there is no replica.",
      registers,
    }),
    replicaInUse: new Gauge({
      name: "gatehouse_replica_in_use",
      help: "1 if the read replica is asked, 0 if the primary answers all reads; NaN if there is no replica.",
      registers,
    }),
    corruptRecords: new Counter({
      name: "gatehouse_corrupt_records_total",
      help: "Stored rows of an unknown form that were left out of an answer.",
      labelNames: ["table"],
      registers,
    }),
    streamClients: new Gauge({ name: "gatehouse_sse_clients", help: "Open event streams.", registers }),
    loopLastTurn: new Gauge({
      name: "gatehouse_loop_last_turn_timestamp_seconds",
      help: "When each loop last turned.",
      labelNames: ["loop"],
      registers,
    }),
    streamCuts: new Counter({
      name: "gatehouse_sse_slow_clients_cut_total",
      help: "Event streams closed because their reader fell behind.",
      registers,
    }),
    signIns: new Counter({
      name: "gatehouse_sign_ins_total",
      help: "Sign-ins by outcome.",
      labelNames: ["outcome"],
      registers,
    }),
    actions: new Counter({
      name: "gatehouse_actions_total",
      help: "Actions that people asked for, by how they ended.",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    actionsRefused: new Counter({
      name: "gatehouse_actions_refused_total",
      help: "Refused actions by problem code.",
      labelNames: ["reason"],
      registers,
    }),
    auditDeliveries: new Counter({
      name: "gatehouse_kubernetes_audit_deliveries_total",
      help: "Batches of audit events that API servers sent, by answer.",
      labelNames: ["cluster", "reason"],
      registers,
    }),
    auditEvents: new Counter({
      name: "gatehouse_kubernetes_audit_events_total",
      help: "Audit events that API servers sent: stored, duplicate, left_out (not about us) or unreadable.",
      labelNames: ["cluster", "result"],
      registers,
    }),
    gateRequests: new Counter({
      name: "gatehouse_gate_requests_total",
      help: "Hook calls of controllers, by how they were answered.",
      labelNames: ["type", "decision", "reason"],
      registers,
    }),
  };
}
