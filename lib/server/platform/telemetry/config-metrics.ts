import { Counter, Gauge, type Registry } from "@prometheus-io/client";

export type ConfigMetrics = { reloadFailures: Counter; reloadsHeld: Counter; lastSuccess: Gauge };

/** Creates the config metrics; both processes read the config, so both have these. */
export function createConfigMetrics(registry: Registry): ConfigMetrics {
  const registers = [registry];
  return {
    reloadFailures: new Counter({
      name: "gatehouse_config_reload_failures_total",
      help: "Reloads of the config that were refused, once per fault.",
      registers,
    }),
    reloadsHeld: new Counter({
      name: "gatehouse_config_reload_held_total",
      help: "Reloads held because they would drop most clusters or role bindings, once per content.",
      registers,
    }),
    lastSuccess: new Gauge({
      name: "gatehouse_config_last_success_timestamp_seconds",
      help: "When the config in force was loaded.",
      registers,
    }),
  };
}
