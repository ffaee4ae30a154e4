/** One line of a scrape. Values are finite: NaN and infinities are left out. */
export type MetricSample = { name: string; labels: Readonly<Record<string, string>>; value: number };

/** Why an answer is not metrics. */
export type ExpositionTrouble = { code: "not-metrics" | "truncated" | "malformed"; message: string };

export type ExpositionReader = {
  /** Reads the next part of the text, cut anywhere. */
  push(text: string): void;
  /** Returns the trouble, if any: then the samples read so far do not count. */
  end(): ExpositionTrouble | undefined;
};

/** A line of labels longer than this is no metric of ours, and would fill the memory. */
const maxLine = 65_536;
const name = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;

/**
 * Reads the text format of Prometheus and OpenMetrics as it arrives, and calls `onSample` for each sample with a wanted
 * name. Other lines are only checked as far as their name. An answer that does not end with a line break was cut off;
 * its last line might read as another number.
 */
export function createExpositionReader(
  isWanted: (name: string) => boolean,
  onSample: (sample: MetricSample) => void,
): ExpositionReader {
  let rest = "";
  let line = 0;
  let trouble: ExpositionTrouble | undefined;
  let isEmpty = true;

  function take(text: string): void {
    line++;
    const trimmed = text.trim();
    if (trimmed === "" || trimmed.startsWith("#") || trouble !== undefined) return;
    isEmpty = false;
    const sampleName = nameOf(trimmed);
    if (sampleName === undefined) {
      trouble = trimmed.startsWith("<")
        ? { code: "not-metrics", message: "the answer is a page, not metrics" }
        : { code: "malformed", message: `line ${line} is not a sample` };
      return;
    }
    if (!isWanted(sampleName)) return;
    const sample = readSample(sampleName, trimmed);
    if (sample === undefined) trouble = { code: "malformed", message: `line ${line} (${sampleName}) is not a sample` };
    else if (Number.isFinite(sample.value)) onSample(sample);
  }

  return {
    push(text) {
      if (trouble !== undefined) return;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const each of lines) take(each);
      if (rest.length > maxLine && trouble === undefined)
        trouble = { code: "malformed", message: `line ${line + 1} is longer than ${maxLine} characters` };
    },
    end() {
      if (trouble !== undefined) return trouble;
      if (rest.trim() !== "") {
        // Reports "a page" for HTML without a line break, and names the line otherwise.
        if (rest.trim().startsWith("<")) return { code: "not-metrics", message: "the answer is a page, not metrics" };
        if (rest.trim() !== "# EOF")
          return { code: "truncated", message: `the answer ends in the middle of line ${line + 1}` };
      }
      return isEmpty ? { code: "not-metrics", message: "the answer contains no samples" } : undefined;
    },
  };
}

function nameOf(text: string): string | undefined {
  name.lastIndex = 0;
  const found = name.exec(text)?.[0];
  if (found === undefined) return undefined;
  const next = text[found.length];
  return next === "{" || next === " " || next === "\t" ? found : undefined;
}

/** Reads `name{label="value"} 1.5 1700000000000 # {trace="x"} 1`: a timestamp and an exemplar are passed over. */
function readSample(sampleName: string, text: string): MetricSample | undefined {
  let at = sampleName.length;
  let labels: Record<string, string> = {};
  if (text[at] === "{") {
    const read = readLabels(text, at + 1);
    if (read === undefined) return undefined;
    labels = read.labels;
    at = read.end;
  }
  const [values = ""] = text.slice(at).split(" #", 1);
  const [value, timestamp, ...more] = values.trim().split(/[ \t]+/);
  if (value === undefined || more.length > 0) return undefined;
  if (timestamp !== undefined && !/^-?\d+(?:\.\d+)?$/.test(timestamp)) return undefined;
  const number = readNumber(value);
  return number === undefined ? undefined : { name: sampleName, labels, value: number };
}

/** Reads labels up to the closing brace; `end` is after it. */
function readLabels(text: string, start: number): { labels: Record<string, string>; end: number } | undefined {
  const labels: Record<string, string> = {};
  let at = start;
  for (;;) {
    at = skipSpace(text, at);
    if (text[at] === "}") return { labels, end: at + 1 };
    name.lastIndex = at;
    const label = name.exec(text)?.[0];
    if (label === undefined) return undefined;
    at = skipSpace(text, at + label.length);
    if (text[at] !== "=") return undefined;
    at = skipSpace(text, at + 1);
    if (text[at] !== '"') return undefined;
    const value = readQuoted(text, at + 1);
    if (value === undefined) return undefined;
    labels[label] = value.text;
    at = skipSpace(text, value.end);
    if (text[at] === ",") at++;
    else if (text[at] !== "}") return undefined;
  }
}

function readQuoted(text: string, start: number): { text: string; end: number } | undefined {
  let read = "";
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return { text: read, end: at + 1 };
    if (character === "\\") {
      const escaped = text[++at];
      // Prometheus keeps an escape that it does not know as it is.
      read += escaped === "n" ? "\n" : escaped === '"' || escaped === "\\" ? escaped : `\\${escaped ?? ""}`;
    } else read += character;
  }
  return undefined;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (text[next] === " " || text[next] === "\t") next++;
  return next;
}

/** Reads a number as Go writes it. Undefined for other text. */
export function readNumber(text: string): number | undefined {
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^\+?inf(?:inity)?$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^-inf(?:inity)?$/i.test(text)) return Number.NEGATIVE_INFINITY;
  return /^nan$/i.test(text) ? Number.NaN : undefined;
}
