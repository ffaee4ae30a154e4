import { parseDurationMs } from "#lib/util/duration.ts";
import { formatLength } from "#lib/util/words.ts";

/**
 * Words a step, which records and the API write as kubectl's plugin does: `setWeight: 20` is "20 %", `pause: 10s` is "wait 10 s". A
 * text of another form stays as it is.
 */
export function wordStep(text: string): string {
  const scale = /^setCanaryScale\{(\w+): (.*)\}$/.exec(text);
  const [kind = "", value = ""] = scale === null ? text.split(/: (.*)/s) : scale.slice(1);
  switch (kind) {
    case "setWeight":
      return wordShare(value);
    case "pause":
      return value === "" ? "wait" : `wait ${wordLength(value)}`;
    case "weight":
      return `canary pods at ${wordShare(value)}`;
    case "replicas":
      return `${value} canary ${value === "1" ? "pod" : "pods"}`;
    case "matchTrafficWeight":
      return "canary pods follow the traffic";
    case "setHeaderRoute":
      return `header route ${value}`.trimEnd();
    case "setMirrorRoute":
      return `mirror route ${value}`.trimEnd();
    case "plugin":
      return `plugin ${value}`.trimEnd();
    default:
      // Flagger's.
      return /^weight (\S+ %)$/.exec(text)?.[1] ?? text;
  }
}

/** Words a weight; one of another maximum than 100 comes with its share: `50 (25 %)`. */
function wordShare(weight: string): string {
  return /\(([^()]+ %)\)$/.exec(weight)?.[1] ?? `${weight} %`;
}

/** Words a duration of a spec: "90s" is "1 min 30 s", and a bare number is in seconds. */
export function wordLength(duration: string): string {
  const ms = /^\d+$/.test(duration) ? Number(duration) * 1000 : parseDurationMs(duration);
  return ms === undefined ? duration : formatLength(ms / 1000);
}
