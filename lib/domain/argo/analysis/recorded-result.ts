import type { TypedValue } from "#lib/expr/typed-value.ts";
import { listTokens } from "./measurement-value.ts";

/**
 * The result behind a recorded value. `rounding` is the largest possible difference from the value that was judged: not
 * 0 if the provider rounds recorded values. `unrecoverable` is the reason why the text does not suffice.
 */
export type RecordedResult =
  | { readonly result: TypedValue; readonly rounding: number }
  | { readonly unrecoverable: string };

/** Half of the last digit that these keep (`%.2f` and `%f`; argo-rollouts 1.10.2, metricproviders). */
const rounding = { wavefront: 0.005, graphite: 0.0000005 };

/** The recorded value if Datadog had none: its series or attributes as JSON (metricproviders/datadog/datadog.go). */
const datadogNil = /^(?:\[\]$|\[(?:null\b|\{)|\{|null$)/;

/**
 * Returns the typed value that a condition saw, from the provider's key in the metric and the text in
 * `measurement.value` (argo-rollouts metricproviders/*). Kayenta and jobs have no conditions; a plugin decides for
 * itself.
 */
export function typedValueOf(provider: string, text: string | undefined): RecordedResult {
  if (text === undefined || text === "") return { unrecoverable: "the measurement has no value" };
  switch (provider) {
    case "prometheus":
      return numberOrList(text);
    case "datadog":
      return datadogNil.test(text) ? exact({ type: "*float64", value: null }) : numberOrList(text);
    case "wavefront":
    case "graphite":
      return numberOrList(text, rounding[provider]);
    case "web":
      return exact(webResult(text));
    case "newRelic":
    case "skywalking":
      return jsonResult(text);
    case "influxdb":
      return influxResult(text);
    case "cloudWatch":
      return cloudWatchResult(text);
    case "kayenta":
      return numberOrList(text);
    default:
      return { unrecoverable: `values of provider ${provider} have no known format` };
  }
}

function exact(result: TypedValue): RecordedResult {
  return { result, rounding: 0 };
}

// Each digit can be matched in only one way: otherwise a long value would take quadratic time.
const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

const onlyItem = /^\[([^\s,[\]]+)\]$/;

/** Returns a float as JSON can carry it; undefined for anything else. */
function floatOf(text: string): number | string | undefined {
  if (text === "NaN" || text === "-Inf" || text === "+Inf") return text;
  return decimal.test(text) ? Number(text) : undefined;
}

function floats(tokens: readonly string[] | undefined): readonly (number | string)[] | undefined {
  const values = tokens?.map(floatOf);
  return values?.every((value) => value !== undefined) ? values : undefined;
}

function numberOrList(text: string, rounding = 0): RecordedResult {
  const single = floatOf(text);
  if (single !== undefined) return { result: { type: "float64", value: single }, rounding };
  const only = onlyItem.exec(text)?.[1];
  // By far the most common list; reading its only item takes a fraction of the time.
  const value = only === undefined ? (text.startsWith("[") ? floats(listTokens(text)) : undefined) : floats([only]);
  if (value !== undefined) return { result: { type: "[]float64", value }, rounding };
  return { unrecoverable: "the value is neither a number nor a list of numbers" };
}

/** Returns the body; one that is not JSON is passed on as text. */
function webResult(text: string): TypedValue {
  try {
    return { type: "json", value: JSON.parse(text) };
  } catch {
    return { type: "string", value: text };
  }
}

function jsonResult(text: string): RecordedResult {
  try {
    return exact({ type: "json", value: JSON.parse(text) });
  } catch {
    return { unrecoverable: "the value is not JSON" };
  }
}

/**
 * Reads Go's list format, which does not distinguish a number from a similar text, or show where a text with blanks
 * ends.
 */
function influxResult(text: string): RecordedResult {
  const value = text.startsWith("[") && !text.startsWith("[[") ? floats(listTokens(text)) : undefined;
  if (value === undefined) return { unrecoverable: "the list contains something other than numbers" };
  return exact({ type: "[]any", value });
}

function cloudWatchResult(text: string): RecordedResult {
  const inner = /^\[(.*)\]$/s.exec(text)?.[1] ?? "";
  const lists = inner.match(/\[[^[\]]*\]/g) ?? [];
  const values = lists.map((list) => floats(listTokens(list)));
  const isComplete = inner.replace(/\[[^[\]]*\]/g, "").trim() === "" && text.startsWith("[");
  if (!isComplete || values.some((value) => value === undefined)) {
    return { unrecoverable: "the value is not a list of lists of numbers" };
  }
  return exact({ type: "[]MetricDataResult", value: values.map((Values) => ({ Values })) });
}
