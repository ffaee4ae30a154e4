import { describe, expect, it } from "vitest";
import { createExpositionReader, type MetricSample } from "./read-exposition.ts";

function read(parts: string | readonly string[], wanted: (name: string) => boolean = () => true) {
  const samples: MetricSample[] = [];
  const reader = createExpositionReader(wanted, (sample) => samples.push(sample));
  for (const part of [parts].flat()) reader.push(part);
  return { samples, trouble: reader.end() };
}

const sample = (name: string, value: number, labels: Record<string, string> = {}): MetricSample => ({
  ...{ name, labels, value },
});

const readable: { name: string; text: string; samples: MetricSample[] }[] = [
  { name: "a name and a value", text: "up 1\n", samples: [sample("up", 1)] },
  { name: "comments and empty lines", text: "# HELP up x\n# TYPE up gauge\n\nup 1\n", samples: [sample("up", 1)] },
  { name: "Windows line ends", text: "up 1\r\nx 2\r\n", samples: [sample("up", 1), sample("x", 2)] },
  { name: "labels", text: 'q{name="a",verb="get"} 3\n', samples: [sample("q", 3, { name: "a", verb: "get" })] },
  { name: "a comma after the last label", text: 'q{name="a",} 3\n', samples: [sample("q", 3, { name: "a" })] },
  {
    name: "spaces between labels",
    text: 'q{ name = "a" , b="c" } 3\n',
    samples: [sample("q", 3, { name: "a", b: "c" })],
  },
  { name: "empty labels", text: "q{} 3\n", samples: [sample("q", 3)] },
  { name: "a brace and a hash in a label", text: 'q{a="} # 7"} 3\n', samples: [sample("q", 3, { a: "} # 7" })] },
  {
    name: "escapes",
    text: 'q{a="say \\"hi\\"\\\\\\n",b="C:\\\\x\\t"} 3\n',
    samples: [sample("q", 3, { a: 'say "hi"\\\n', b: "C:\\x\\t" })],
  },
  { name: "a timestamp", text: "q 3 1700000000000\n", samples: [sample("q", 3)] },
  {
    name: "an exemplar",
    text: 'q_bucket{le="1"} 8 # {trace_id="a b"} 0.67 1700000000.7\n',
    samples: [sample("q_bucket", 8, { le: "1" })],
  },
  { name: "an infinite bucket", text: 'q_bucket{le="+Inf"} 8\n', samples: [sample("q_bucket", 8, { le: "+Inf" })] },
  {
    name: "exponents and signs",
    text: "a 1.5e+06\nb -2\nc .5\n",
    samples: [sample("a", 1.5e6), sample("b", -2), sample("c", 0.5)],
  },
  { name: "no sample for NaN and infinities", text: "a NaN\nb +Inf\nc -Inf\nd 0\n", samples: [sample("d", 0)] },
  { name: "the end of OpenMetrics without a line break", text: "up 1\n# EOF", samples: [sample("up", 1)] },
];

const unreadable: { name: string; text: string; code: string; words: string }[] = [
  { name: "a page", text: "<!doctype html>\n<html>\n", code: "not-metrics", words: "a page" },
  { name: "a page in one line", text: "<html></html>", code: "not-metrics", words: "a page" },
  { name: "nothing", text: "", code: "not-metrics", words: "no samples" },
  { name: "only comments", text: "# HELP up x\n", code: "not-metrics", words: "no samples" },
  { name: "JSON", text: '{"status":"ok"}\n', code: "malformed", words: "line 1" },
  { name: "prose", text: "404 page not found\n", code: "malformed", words: "line 1" },
  { name: "a value that was cut off", text: "up 1\nq 12", code: "truncated", words: "line 2" },
  { name: "a label that was cut off", text: 'up 1\nq{name="a', code: "truncated", words: "line 2" },
  { name: "a label without a value", text: "q{name} 1\n", code: "malformed", words: "line 1 (q)" },
  { name: "a label without quotes", text: "q{name=a} 1\n", code: "malformed", words: "line 1 (q)" },
  { name: "labels that do not end", text: 'q{name="a" 1\n', code: "malformed", words: "line 1 (q)" },
  { name: "no value", text: "up 1\nq{} \n", code: "malformed", words: "line 2 (q)" },
  { name: "a word for a value", text: "q many\n", code: "malformed", words: "line 1 (q)" },
  { name: "more than a timestamp", text: "q 1 2 3\n", code: "malformed", words: "line 1 (q)" },
  { name: "an endless line", text: `q{a="${"x".repeat(70_000)}`, code: "malformed", words: "longer than" },
];

describe("reading metrics", () => {
  it.each(readable)("reads $name", ({ text, samples }) => {
    expect(read(text)).toEqual({ samples, trouble: undefined });
  });

  it.each(readable)("reads $name whatever its parts", ({ text, samples }) => {
    expect(read([...text])).toEqual({ samples, trouble: undefined });
  });

  it.each(unreadable)("refuses $name", ({ text, code, words }) => {
    const { trouble } = read(text);
    expect(trouble).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it("passes over what nobody wants, even if it is malformed", () => {
    const { samples, trouble } = read('other{broken 1\nq{a="b"} 2\n', (name) => name === "q");
    expect({ samples, trouble }).toEqual({ samples: [sample("q", 2, { a: "b" })], trouble: undefined });
  });
});
